import { once } from 'node:events';
import net from 'node:net';
import { OperatorError } from '../base/errors.ts';
import type { Service } from '../service/index.ts';

export type ServiceSettings = Service['config']['service'];

/** The ports of a service, reserved until they are released. */
export interface PortClaim {
  /** The settings, with port 0 and empty URLs replaced by the actual values. */
  addresses: ServiceSettings;
  release(): Promise<void>;
}

/**
 * Claims the ports on which the service listens. The kernel lets threads share a port, so a second service could also
 * share the port without an error. Therefore each port is first claimed for one process.
 * @throws OperatorError if a port is not available
 */
export async function claimPorts(service: ServiceSettings): Promise<PortClaim> {
  const addresses = await settleAddresses(service);
  const { host, port, edgeHost, edgePort } = addresses;
  const wanted =
    edgePort === 0
      ? [{ host, port }]
      : [
          { host, port },
          { host: edgeHost, port: edgePort },
        ];
  const claims: net.Server[] = [];
  const release = async () => void (await Promise.all(claims.splice(0).map(close)));
  try {
    for (const each of wanted) {
      const claim = await claimName(each);
      if (claim !== undefined) claims.push(claim);
      // This call fails if another program listens on the port, even with port sharing.
      await close(await listen({ ...each, exclusive: true }));
    }
  } catch (cause) {
    await release();
    throw listenMistake(cause as ListenError, addresses) ?? cause;
  }
  return { addresses, release };
}

/**
 * Reserves a name for the port for as long as this process lives. Without the name, two services that start at the same
 * moment could use the same port, because a claimed port must be released before threads can share it.
 */
async function claimName({ host, port }: Place): Promise<net.Server | undefined> {
  if (process.platform !== 'linux') return undefined;
  try {
    const server = await listen({ path: `\0zoetrope ${host} ${port}` });
    return server.unref();
  } catch (cause) {
    throw Object.assign(cause as ListenError, { port });
  }
}

interface Place {
  host: string;
  port: number;
}

async function listen(options: net.ListenOptions): Promise<net.Server> {
  const server = net.createServer((socket) => socket.destroy()).listen(options);
  await once(server, 'listening');
  return server;
}

async function close(server: net.Server): Promise<void> {
  server.close();
  await once(server, 'close');
}

type ListenError = NodeJS.ErrnoException & { port?: number; hostname?: string };

/** Returns an error that explains the operator's mistake, or undefined if the cause is unknown. */
export function listenMistake(cause: ListenError, service: ServiceSettings): OperatorError | undefined {
  const isEdge = cause.port === undefined ? cause.hostname === service.edgeHost : cause.port === service.edgePort;
  const { name, host, port } = isEdge
    ? { name: 'ZOETROPE_EDGE', host: service.edgeHost, port: service.edgePort }
    : { name: 'ZOETROPE', host: service.host, port: service.port };
  const messages: Record<string, string> = {
    EADDRINUSE: `Port ${port} is in use: stop the program that listens there, or set ${name}_PORT`,
    EADDRNOTAVAIL: `This machine has no address ${host}: set ${name}_HOST to one that it has`,
    ENOTFOUND: `This machine has no address ${host}: set ${name}_HOST to one that it has`,
    EACCES: `This process is not allowed to listen on port ${port}: set ${name}_PORT to another one`,
  };
  const message = messages[cause.code ?? ''];
  return message === undefined ? undefined : new OperatorError(message, { cause });
}

async function settleAddresses(service: ServiceSettings): Promise<ServiceSettings> {
  const port = service.port || (await freePort(service.host));
  const host = service.host.includes(':') ? `[${service.host}]` : service.host;
  const publicUrl = service.publicUrl || `http://${host}:${port}`;
  if (port === service.edgePort) {
    throw new OperatorError(
      'ZOETROPE_EDGE_PORT and ZOETROPE_PORT must differ, because every caller of the first is trusted',
    );
  }
  const { mediaUrl, operatorUrl } = service;
  return { ...service, port, publicUrl, mediaUrl: mediaUrl || publicUrl, operatorUrl: operatorUrl || publicUrl };
}

/** Returns a free port. Threads must use the same port, so port 0 is resolved before they start. */
async function freePort(host: string): Promise<number> {
  try {
    const probe = await listen({ host, port: 0 });
    const { port } = probe.address() as net.AddressInfo;
    await close(probe);
    return port;
  } catch (cause) {
    throw listenMistake(cause as ListenError, { host, edgeHost: '' } as ServiceSettings) ?? cause;
  }
}
