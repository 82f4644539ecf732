import os from 'node:os';
import path from 'node:path';
import { temporaryFolder } from '../../test/support/server.ts';
import { Lane } from './lane.ts';
import { Printer } from './printer.ts';
import type { Finding, Turn } from './protocol.ts';
import { type Range, Schedule, type Tally } from './schedule.ts';
import { type FuzzedService, startFuzzedService } from './service.ts';
import { TARGETS } from './targets.ts';

/** Time after which an input counts as hanging, in milliseconds. */
const LIMIT_MS = 5_000;
/** Maximum number of processes that check inputs. */
const MAX_LANES = 4;

export interface RunOptions {
  readonly seed: string;
  readonly ranges: readonly Range[];
  /** Maximum number of turns of each target. */
  readonly turns: number;
  /** Time after which no turn starts, in milliseconds. */
  readonly ms: number;
  /** Maximum number of characters of an input that is printed. */
  readonly shown: number;
}

/** Checks inputs of all given targets, and prints the findings. SIGINT and SIGTERM end the run early. */
export async function run({ seed, ranges, turns, ms, shown }: RunOptions): Promise<readonly Tally[]> {
  using folder = temporaryFolder();
  const stopped = stopSignal();
  const schedule = new Schedule(ranges, turns);
  const needsService = ranges.some(({ name }) => TARGETS[name]!.needsService);
  const service = needsService ? await startFuzzedService(folder.path) : undefined;
  const printer = new Printer(seed, schedule.tallies);
  const end = performance.now() + ms;
  const work = async (lane: Lane): Promise<void> => {
    while (!stopped.aborted && !service?.hasEnded() && performance.now() < end) {
      const turn = schedule.next();
      if (turn === undefined) return;
      const from = performance.now();
      const checked = await lane.check(turn);
      // The signal may also have ended the service.
      if (stopped.aborted) return;
      const findings = [...checked.findings, ...findingsOf(service, turn)];
      schedule.note(turn, { ...checked, findings }, performance.now() - from);
      printer.print(findings);
    }
  };
  const lanes = Array.from({ length: Math.min(MAX_LANES, os.availableParallelism()) }, (_, n) => {
    const setup = { seed, folder: path.join(folder.path, `lane-${n}`), service: service?.facts };
    return new Lane({ targets: new URL('./targets.ts', import.meta.url).href, setup, limitMs: LIMIT_MS, shown });
  });
  try {
    await Promise.all(lanes.map(work));
  } finally {
    printer.close();
    await Promise.all(lanes.map((lane) => lane.end()));
    await service?.stop();
  }
  return schedule.tallies;
}

function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => controller.abort());
  return controller.signal;
}

/** Returns the service's complaints during a turn of a target that uses the service. */
function findingsOf(service: FuzzedService | undefined, turn: Turn): Finding[] {
  if (service === undefined || !TARGETS[turn.target]!.needsService) return [];
  return service.complaints().map((what) => ({ ...turn, what, input: '' }));
}
