import { once } from 'node:events';
import net from 'node:net';

const FIRST = 12_000;
const PORTS_OF_A_WORKER = 2_000;
/**
 * First port of this test process. The range is below the ports that systems assign themselves, and each test process
 * has a separate range.
 */
const share = FIRST + (Number(process.env['VITEST_POOL_ID'] ?? 0) % 10) * PORTS_OF_A_WORKER;
let next = Math.floor(Math.random() * PORTS_OF_A_WORKER);

/** Returns a free port that nobody else gets before its program listens. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < PORTS_OF_A_WORKER; tries++) {
    const port = share + (next % PORTS_OF_A_WORKER);
    next++;
    if (await isFree(port)) return port;
  }
  throw new Error(`all ports from ${share} on are taken`);
}

async function isFree(port: number): Promise<boolean> {
  const probe = net.createServer().listen(port, '127.0.0.1');
  try {
    await once(probe, 'listening');
  } catch {
    return false;
  }
  probe.close();
  await once(probe, 'close');
  return true;
}
