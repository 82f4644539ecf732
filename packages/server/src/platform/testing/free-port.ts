import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** First port of the ranges. All ranges are below the ports that systems assign automatically. */
const FIRST = 12_000;
const RANGES = 200;
const PORTS_OF_A_RANGE = 100;

let claimed: Promise<number> | undefined;
let next = 0;

/**
 * Returns a free port. Until its program listens, no other caller gets this port, not even another test run on this
 * machine.
 */
export async function freePort(): Promise<number> {
  claimed ??= claimRange();
  const first = await claimed;
  for (let tries = 1; tries < PORTS_OF_A_RANGE; tries++) {
    const port = first + 1 + (next++ % (PORTS_OF_A_RANGE - 1));
    if (!(await isTaken(port))) return port;
  }
  throw new Error(`all ports from ${first} on are taken`);
}

/**
 * Claims a range of ports by listening on its first port until this process or thread ends. The system releases the
 * claim even if the process is killed.
 * @returns the first port
 */
async function claimRange(): Promise<number> {
  const start = Math.floor(Math.random() * RANGES);
  for (let n = 0; n < RANGES; n++) {
    const first = FIRST + ((start + n) % RANGES) * PORTS_OF_A_RANGE;
    const guard = await listenOn(first);
    if (guard === undefined) continue;
    guard.unref();
    return first;
  }
  throw new Error('all ranges of ports are claimed');
}

/**
 * Resolves when nothing accepts connections on this port any more. That can be some time after its server was closed:
 * while another thread of this process starts a program, the program has a copy of each open socket for a moment, which
 * is long on a busy machine.
 */
export async function untilFree(port: number): Promise<void> {
  while (await isTaken(port)) await pause(10);
}

/** Connects instead of listening, because the socket of a listener could be copied, too (see `untilFree`). */
async function isTaken(port: number): Promise<boolean> {
  const socket = net.connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function listenOn(port: number): Promise<net.Server | undefined> {
  const server = net.createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
    return server;
  } catch {
    return undefined;
  }
}
