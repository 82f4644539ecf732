// How much CPU time and memory do the most expensive files take, both real and malicious ones? (FOLDER...)
//
// One media worker ingests each file with all previews. Its CPU time and peak memory are
// read from the system (Linux). The limits of ZOETROPE_MEDIA_* are chosen from these figures: well above the most
// expensive real file.

import fs from 'node:fs';
import path from 'node:path';
import { Value } from 'typebox/value';
import { limitsOf, MediaConfig } from '../../../packages/server/src/media/config.ts';
import { FITS } from '../../../packages/server/src/media/derivatives.ts';
import type { Job, WorkerMessage } from '../../../packages/server/src/media/worker/protocol.ts';
import { workerProgram } from '../../../packages/server/src/media/worker/spawn.ts';
import { Subprocess } from '../../../packages/server/src/platform/process/index.ts';
import { NASTY_FILES } from '../../../test/support/nasty-files.ts';

const SHOWN = 8;
/** Time limit for a file. It is not reached, because the worker ends by itself if a file exceeds a limit. */
const LIMIT_MS = 600_000;

interface Cost {
  name: string;
  outcome: string;
  seconds: number;
  cpuSeconds: number;
  peakMib: number;
}

const config = Value.Default(MediaConfig, {}) as MediaConfig;
let worker = await start();
let cpuBefore = 0;

const real: Cost[] = [];
for (const folder of process.argv.slice(2)) {
  for (const found of fs.globSync('**/*.{gif,webp}', { cwd: folder }).toSorted()) {
    real.push(await measure(path.basename(found), fs.readFileSync(path.join(folder, found))));
  }
}
const nasty: Cost[] = [];
for (const { name, make } of NASTY_FILES) nasty.push(await measure(name, await make()));
report('real files', real);
report('nasty files', nasty);
await worker.end();

async function start() {
  const child = new Subprocess<Job, WorkerMessage>(workerProgram(config.workerMemoryMib, 'low'));
  await child.hear(LIMIT_MS);
  return child;
}

async function measure(name: string, bytes: Uint8Array): Promise<Cost> {
  // Resets the system's record of peak memory.
  fs.writeFileSync(`/proc/${worker.pid}/clear_refs`, '5');
  const job: Job = { bytes, limits: limitsOf(config), images: { fits: FITS }, frameFacts: true, frames: [] };
  const begun = performance.now();
  let peakMib = 0;
  const look = setInterval(() => {
    peakMib = Math.max(peakMib, readPeak());
  }, 20);
  const answer = await worker.ask(job, LIMIT_MS, isLast).catch(() => undefined);
  clearInterval(look);
  const outcome = answer?.type === 'done' ? 'taken' : answer?.type === 'refused' ? answer.reason : 'died';
  const cpuSeconds = answer && 'usage' in answer ? answer.usage.cpuSeconds - cpuBefore : Number.NaN;
  const seconds = (performance.now() - begun) / 1000;
  if (Number.isFinite(cpuSeconds)) cpuBefore += cpuSeconds;
  if (!Number.isFinite(cpuSeconds) || peakMib > 200) {
    await worker.end();
    worker = await start();
    cpuBefore = 0;
  }
  return { name, outcome, seconds, cpuSeconds, peakMib };

  function isLast(message: WorkerMessage): boolean {
    peakMib = Math.max(peakMib, readPeak());
    return message.type !== 'output';
  }
}

/** Returns the peak memory since the last reset, in MiB. */
function readPeak(): number {
  try {
    const [, kib] = /VmHWM:\s+(\d+)/.exec(fs.readFileSync(`/proc/${worker.pid}/status`, 'utf8')) ?? [];
    return Number(kib ?? 0) / 1024;
  } catch {
    return 0; // the process has ended
  }
}

function report(title: string, costs: readonly Cost[]): void {
  if (costs.length === 0) return;
  const outcomes = Map.groupBy(costs, ({ outcome }) => outcome);
  console.log(`${title}: ${costs.length}; ${[...outcomes].map(([name, all]) => `${name} ${all.length}`).join(', ')}`);
  const most = new Set([
    ...costs.toSorted((a, b) => b.seconds - a.seconds).slice(0, SHOWN),
    ...costs.toSorted((a, b) => b.peakMib - a.peakMib).slice(0, SHOWN),
  ]);
  for (const { name, outcome, seconds, cpuSeconds, peakMib } of most) {
    const figures = `${seconds.toFixed(1)} s  cpu ${cpuSeconds.toFixed(1)} s  ${peakMib.toFixed(0)} MiB`;
    console.log(`  ${figures.padEnd(36)} ${outcome.padEnd(18)} ${name}`);
  }
}
