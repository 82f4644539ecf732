import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http, { type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';

/** A request that a browser sent to the service. */
export interface Sent {
  method: string;
  origin: string | undefined;
  status: number;
}

/** The host name of the service. Every other host shows a page. */
const SERVICE = 'gifs.example';

const PAGE = '<!doctype html><title>A page</title><p>Hello';

/** Serves pages of any host over https, pages of this machine over http, and the service over https. */
export class Pages {
  /** The requests that the service received, in order. */
  readonly sent: Sent[] = [];
  /** The URL at which the service itself listens. */
  serviceUrl = '';
  readonly #secure: Server;
  readonly #plain: Server;

  private constructor(secure: Server, plain: Server) {
    this.#secure = secure;
    this.#plain = plain;
  }

  /** @param folder the folder to which the self-signed certificate is written */
  static async start(folder: string): Promise<Pages> {
    const answer: RequestListener = (request, response) => pages.#answer(request, response);
    const pages = new Pages(https.createServer(makeCertificate(folder), answer), http.createServer(answer));
    for (const server of [pages.#secure, pages.#plain]) {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
    }
    return pages;
  }

  get port(): number {
    return (this.#secure.address() as AddressInfo).port;
  }

  get plainPort(): number {
    return (this.#plain.address() as AddressInfo).port;
  }

  /** Returns the base address of the service for browsers. */
  get api(): string {
    return `https://${SERVICE}:${this.port}`;
  }

  async stop(): Promise<void> {
    for (const server of [this.#secure, this.#plain]) {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    }
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    if (request.headers.host?.startsWith(`${SERVICE}:`)) this.#ask(request, response);
    else response.setHeader('content-type', 'text/html').end(PAGE);
  }

  #ask(request: IncomingMessage, response: ServerResponse): void {
    const { method = '', url = '', rawHeaders, headers } = request;
    const onward = http.request(this.serviceUrl + url, { method, headers: rawHeaders }, (answer) => {
      this.sent.push({ method, origin: headers.origin, status: answer.statusCode! });
      response.writeHead(answer.statusCode!, answer.rawHeaders);
      answer.pipe(response);
    });
    request.pipe(onward);
  }
}

/** Makes a self-signed certificate and its key with openssl. */
export function makeCertificate(folder: string): { key: Buffer; cert: Buffer } {
  const [key, cert] = [`${folder}/key.pem`, `${folder}/cert.pem`];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const files = ['-subj', '/CN=test', '-keyout', key, '-out', cert];
  execFileSync('openssl', ['req', '-x509', ...curve, ...files], { stdio: 'ignore' });
  return { key: fs.readFileSync(key), cert: fs.readFileSync(cert) };
}
