import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import readline from 'node:readline';
import { endProcess } from '../../platform/testing/end-process.ts';
import { freePort } from '../../platform/testing/free-port.ts';

/** A Redis server without persistence. */
export interface RedisServer {
  url: string;
  /** Kills the server. */
  kill(): Promise<void>;
  /** Starts the server again, without data. */
  start(): Promise<void>;
}

/** Returns the path of the program, or undefined if Redis is not installed. */
export function findRedis(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(':');
  return folders.map((folder) => `${folder}/redis-server`).find((program) => fs.existsSync(program));
}

/** Starts a server on 127.0.0.1. */
export async function startRedis(program: string): Promise<RedisServer> {
  const port = await freePort();
  let server = await begin();

  async function begin(): Promise<ChildProcess> {
    const options = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', '/'];
    const child = spawn(program, options, { stdio: ['ignore', 'pipe', 'inherit'] });
    const reader = readline.createInterface({ input: child.stdout });
    for await (const line of reader) if (line.includes('Ready to accept connections')) break;
    child.stdout.resume();
    return child;
  }

  return {
    url: `redis://127.0.0.1:${port}`,
    kill: () => endProcess(server, 'SIGKILL'),
    async start() {
      server = await begin();
    },
  };
}
