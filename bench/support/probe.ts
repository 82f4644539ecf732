import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

/*
 * A thread of replay.ts that requests one cached response from the service at short intervals. The waiting time shows
 * how long an event loop of the service was busy or had no core. At the same moments, it requests a response from a
 * bare server in a separate process. The waiting time for that response is only due to the machine. There are several
 * connections, because each connection is served by one of the service's threads. The requests are sent from a
 * thread of their own, so that sending them is not measured.
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

/** Each message from the main thread requests the waiting times since the previous message. */
parentPort!.on('message', () => {
  parentPort!.postMessage(waits);
  waits = { service: [], bare: [] };
});

for (let n = 0; ; n++) {
  ask('service', n % CONNECTIONS);
  ask('bare', n % CONNECTIONS);
  await sleep(EVERY_MS);
}
