import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

/*
 * A thread of replay.ts that asks the service for one cached answer every so often: how long that takes is how long an
 * event loop of the service was not free, or had no core to run on. How long the machine alone can take tells a bare
 * server in a process of its own that is asked at the same moments. There are several connections, as each lands on some
 * thread of the service, and all that stays away from the thread that makes the load, whose work would be counted otherwise.
 */

const CONNECTIONS = 4;
const EVERY_MS = 5;

export interface Waits {
  service: number[];
  bare: number[];
}

const { urls, headers } = workerData as { urls: Record<keyof Waits, string>; headers: Record<string, string> };
const agents = {
  service: makeAgents(CONNECTIONS),
  bare: makeAgents(CONNECTIONS),
};
let waits: Waits = { service: [], bare: [] };

function makeAgents(count: number): http.Agent[] {
  return Array.from({ length: count }, () => new http.Agent({ keepAlive: true, maxSockets: 1 }));
}

function ask(whom: keyof Waits, connection: number): void {
  const start = performance.now();
  const { [whom]: kept } = waits;
  http
    .get(urls[whom], { agent: agents[whom][connection]!, headers }, (response) => {
      response.resume().on('end', () => kept.push(performance.now() - start));
    })
    .on('error', () => kept.push(Number.POSITIVE_INFINITY));
}

/** Each message asks for the waits since the one before. */
parentPort!.on('message', () => {
  parentPort!.postMessage(waits);
  waits = { service: [], bare: [] };
});

for (let n = 0; ; n++) {
  ask('service', n % CONNECTIONS);
  ask('bare', n % CONNECTIONS);
  await sleep(EVERY_MS);
}
