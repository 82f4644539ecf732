import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const DIMENSIONS = 128;

interface Request {
  readonly path: string | undefined;
  readonly model: string;
  readonly texts: readonly string[];
  readonly headers: IncomingMessage['headers'];
}

type Answer = (request: Request, response: ServerResponse) => void;

/** A server with the embeddings API, working or broken. */
export class EmbeddingServer implements AsyncDisposable {
  readonly requests: Request[] = [];
  answer: Answer = (request, response) => response.end(JSON.stringify(wellFormed(request)));
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((incoming, response) => {
      let body = '';
      incoming.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      incoming.on('end', () => {
        const { model, input: texts } = JSON.parse(body) as { model: string; input: string[] };
        const request = { path: incoming.url, model, texts, headers: incoming.headers };
        this.requests.push(request);
        this.answer(request, response);
      });
    });
  }

  static async start(): Promise<EmbeddingServer> {
    const server = new EmbeddingServer();
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Returns a valid response. The vectors depend only on the texts, and are not in the order of the texts. */
export function wellFormed({ texts }: Pick<Request, 'texts'>): { data: { index: number; embedding: unknown }[] } {
  return { data: texts.map((text, index) => ({ index, embedding: vectorOf(text) })).reverse() };
}

export function vectorOf(text: string): number[] {
  return Array.from({ length: DIMENSIONS }, (_, i) => Math.sin(i + 1) + (text.charCodeAt(i % text.length) % 16));
}
