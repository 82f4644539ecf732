import { spawn } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import readline from 'node:readline';

export interface Proxy {
  url: string;
  /** Returns the proxy's output on standard error. */
  said(): string;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts the proxy in a folder. */
export async function startProxy(folder: string, url: string, key: string): Promise<Proxy> {
  const child = spawn(process.execPath, ['server.js'], {
    cwd: folder,
    env: { ...process.env, ZOETROPE_URL: url, ZOETROPE_KEY: key, PORT: '0' },
  });
  let complaints = '';
  child.stderr.on('data', (chunk) => {
    complaints += chunk;
  });
  const { value: address } = await readline.createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
  if (typeof address !== 'string') throw new Error(`the proxy did not start:\n${complaints}`);
  return {
    url: address,
    said: () => complaints,
    async [Symbol.asyncDispose]() {
      child.kill();
      await once(child, 'exit');
    },
  };
}

export interface Silence {
  url: string;
  /** Resolves with the first connection. */
  asked: Promise<net.Socket>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts a service that accepts requests and never responds. */
export async function serveNothing(): Promise<Silence> {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => sockets.add(socket.resume()));
  const asked = once(server, 'connection').then(([socket]) => socket as net.Socket);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`,
    asked,
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
