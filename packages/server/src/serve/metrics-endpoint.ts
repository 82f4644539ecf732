import { once } from 'node:events';
import http from 'node:http';
import { OperatorError } from '../base/errors.ts';
import { goOn, type Log } from '../base/log.ts';

/**
 * IP address of the metrics server. With this address, only this machine can read the metrics, even if the service
 * itself listens on other addresses.
 */
const HOST = '127.0.0.1';

export interface MetricsServer {
  stop(): Promise<void>;
}

/** Serves `GET /metrics` for Prometheus. @throws OperatorError if the port is in use */
export async function serveMetrics(port: number, text: () => Promise<string>, log: Log): Promise<MetricsServer> {
  const answer = async (request: http.IncomingMessage, response: http.ServerResponse): Promise<void> => {
    const found = request.method === 'GET' && request.url === '/metrics';
    const type = found ? 'text/plain; version=0.0.4; charset=utf-8' : 'text/plain; charset=utf-8';
    const body = found ? await text() : 'Metrics are at /metrics\n';
    response.writeHead(found ? 200 : 404, { 'content-type': type }).end(body);
  };
  const server = http.createServer((request, response) => {
    const fail = (error: unknown) => {
      log.error({ err: error }, 'could not read the metrics');
      response.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' }).end('The metrics are unavailable now\n');
    };
    goOn(answer(request, response).catch(fail), log);
  });
  server.listen(port, HOST);
  try {
    await once(server, 'listening');
  } catch (cause) {
    throw new OperatorError(`Port ${port} is in use: set ZOETROPE_METRICS_PORT to a free one, or to 0 for none`, {
      cause,
    });
  }
  return {
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
