import { parseArgs } from 'node:util';
import { tableOf } from './fuzz/printer.ts';
import { run } from './fuzz/run.ts';
import type { Range } from './fuzz/schedule.ts';
import { TARGETS } from './fuzz/targets.ts';

/*
 * Gives damaged inputs to all parts that read data from strangers:
 *
 *   npm run fuzz -- [--minutes N | --turns N] [--seed S] [TARGET ...]
 *   npm run fuzz -- --seed S --only TARGET:N        checks input N again, and prints all of it
 *
 * Each input is a valid input that was changed in a few places. It depends only on the seed, the target and the input's
 * number. All targets get the same time, or the same number of turns of about a second each. An input is a finding if
 * it ends or blocks a process, if memory does not return to its former size, if the service fails, or if the error is
 * not one of those that the code promises. The exit code is 1 if there are findings.
 */

/** Maximum number of characters of an input that is printed. */
const SHOWN = 600;
const SHOWN_ALONE = 10_000_000;

const { values, positionals } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    turns: { type: 'string' },
    seed: { type: 'string', default: `${Date.now() % 2 ** 31}` },
    only: { type: 'string' },
  },
  allowPositionals: true,
});

process.exitCode = await main();

async function main(): Promise<number> {
  const { seed, only } = values;
  const minutes = Number(values.minutes);
  const turns = Number(values.turns ?? Number.POSITIVE_INFINITY);
  if (!(minutes > 0)) return complain('--minutes must be a number above 0');
  if (!(turns >= 1)) return complain('--turns must be a number of at least 1');
  const ranges = only === undefined ? rangesOf(positionals) : rangeIn(only);
  if (ranges === undefined) {
    return complain(`Targets are ${Object.keys(TARGETS).join(', ')}; --only needs TARGET:N or TARGET:FROM-TO`);
  }
  const hasEnd = only !== undefined || values.turns !== undefined;
  const ms = hasEnd ? Number.POSITIVE_INFINITY : 60_000 * minutes;
  const tallies = await run({ seed, ranges, turns, ms, shown: only === undefined ? SHOWN : SHOWN_ALONE });
  console.log(`${tableOf(tallies)}\n\nseed: ${seed}`);
  return tallies.every(({ findings }) => findings === 0) ? 0 : 1;
}

/** Returns all inputs of these targets, or of all targets, or undefined if there is no such target. */
function rangesOf(names: readonly string[]): Range[] | undefined {
  if (names.some((name) => !Object.hasOwn(TARGETS, name))) return undefined;
  const chosen = Object.entries(TARGETS).filter(([name]) => names.length === 0 || names.includes(name));
  return chosen.map(([name, { turn: size }]) => ({ name, from: 0, end: Number.POSITIVE_INFINITY, size }));
}

function rangeIn(only: string): Range[] | undefined {
  const [, name = '', from, to = from] = /^([\w-]+):(\d+)(?:-(\d+))?$/.exec(only) ?? [];
  if (!Object.hasOwn(TARGETS, name) || Number(to) < Number(from)) return undefined;
  return [{ name, from: Number(from), end: Number(to) + 1, size: TARGETS[name]!.turn }];
}

function complain(message: string): number {
  console.error(message);
  return 2;
}
