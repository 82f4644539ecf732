import { once } from 'node:events';
import http, { type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Asked {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
}

/** A server between an edge and the service that records the requests that reach the service. */
export class Recorder {
  #asked: Asked[] = [];
  readonly #server: http.Server;

  private constructor(server: http.Server) {
    this.#server = server;
  }

  static async start(port: number): Promise<Recorder> {
    const agent = new http.Agent({ keepAlive: true });
    const server = http.createServer((incoming, outgoing) => {
      const { method = '', url = '', headers, rawHeaders } = incoming;
      recorder.#asked.push({ method, url, headers });
      const onward = http.request({ port, agent, method, path: url, headers: rawHeaders }, (answer) => {
        outgoing.writeHead(answer.statusCode!, answer.rawHeaders);
        answer.pipe(outgoing);
      });
      onward.on('error', () => outgoing.destroy());
      incoming.pipe(onward);
    });
    const recorder = new Recorder(server.listen(0, '127.0.0.1'));
    await once(server, 'listening');
    return recorder;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Returns the requests since the last call, except requests with which an edge checks the service. */
  take(): Asked[] {
    return this.#asked.splice(0).filter(({ url }) => url !== '/readyz');
  }

  async stop(): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }
}
