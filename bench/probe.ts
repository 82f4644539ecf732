import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

/*
 * A thread of replay.ts that asks for one cached answer every so often: how long that takes is how long an event loop of
 * the service was not free. It has several connections, as each lands on some thread of the service, and stays away from
 * the thread that makes the load, whose own work would be counted otherwise.
 */

const CONNECTIONS = 4;
const EVERY_MS = 5;

const { url, headers } = workerData as { url: string; headers: Record<string, string> };
const agents = Array.from({ length: CONNECTIONS }, () => new http.Agent({ keepAlive: true, maxSockets: 1 }));
let waits: number[] = [];

function ask(agent: http.Agent): void {
  const start = performance.now();
  http
    .get(url, { agent, headers }, (response) => {
      response.resume().on('end', () => waits.push(performance.now() - start));
    })
    .on('error', () => waits.push(Number.POSITIVE_INFINITY));
}

/** Each message asks for the waits since the one before. */
parentPort!.on('message', () => {
  parentPort!.postMessage(waits);
  waits = [];
});

for (let n = 0; ; n++) {
  ask(agents[n % CONNECTIONS]!);
  await sleep(EVERY_MS);
}
