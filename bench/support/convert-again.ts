import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { SYSTEM_PATH } from '../../packages/server/src/platform/testing/system-path.ts';

/*
 * Requests MP4s again and again, each time after removing the file. It runs in a thread, so that receiving megabytes
 * does not delay the event loop of the measurement. When it is stopped, it reports the number of MP4s that were made.
 */

const { addresses, media } = workerData as { addresses: string[]; media: string };
let stopped = false;

// This thread gets the lowest priority, because only the conversions are measured, and not the requests for them.
spawnSync('chrt', ['--idle', '--pid', '0', path.basename(fs.readlinkSync('/proc/thread-self'))], {
  env: { PATH: SYSTEM_PATH },
});

parentPort!.once('message', () => {
  stopped = true;
});
const made = await Promise.all(addresses.map(convert));
parentPort!.postMessage(made.reduce((sum, count) => sum + count, 0));

async function convert(address: string): Promise<number> {
  let count = 0;
  for (; !stopped; count++) {
    const hash = path.basename(address).slice(0, 64);
    for (const file of fs.globSync(path.join(media, `d/*/*/*/*/${hash}*.mp4`))) fs.rmSync(file);
    const answer = await fetch(address);
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  }
  return count;
}
