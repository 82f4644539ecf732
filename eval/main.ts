import fs from 'node:fs';
import type { Run } from './metrics/figures.ts';
import { isFailure } from './metrics/gates.ts';
import type { Channel, Plan } from './questions/question.ts';
import { FILLER_SET, SETS } from './questions/sets.ts';
import { AdultWatch } from './support/adult.ts';
import { runPlan } from './support/ask.ts';
import { Client } from './support/client.ts';
import { type Options, readOptions, USAGE } from './support/options.ts';
import { Progress } from './support/progress.ts';
import { renderQuality } from './support/quality.ts';
import { type RunRecord, toRecord } from './support/record.ts';
import { renderText } from './support/report.ts';
import { openTarget } from './support/target.ts';

/* `npm run eval -- --help` lists the options. All figures come from the API of a running service. */

const LAST = 'eval/last.json';
const PAGE = 'docs/quality.md';
/**
 * The file with the reasons why figures are below their gates. It is written by hand, because a program cannot know the
 * reasons.
 */
const CAUSES = 'eval/causes.md';

try {
  process.exitCode = await evaluate(readOptions(process.argv.slice(2), process.env));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 2;
}

/** @returns the exit code: 0, or 1 if a gate was not passed */
async function evaluate(options: Options): Promise<number> {
  if (options.help) {
    console.log(USAGE);
    return 0;
  }
  const record = await measure(options);
  const last = fs.existsSync(LAST) ? (JSON.parse(fs.readFileSync(LAST, 'utf8')) as RunRecord) : undefined;
  console.log(renderText(record, last));
  if (options.json) fs.writeFileSync(options.json, toJson(record));
  if (options.write) {
    fs.writeFileSync(LAST, toJson(record));
    fs.writeFileSync(PAGE, renderQuality(record, fs.readFileSync(CAUSES, 'utf8')));
  }
  const failures = record.gates.filter(isFailure);
  console.log(`${record.gates.length - failures.length} of ${record.gates.length} gates passed or absent`);
  if (options.gate && failures.length > 0) return 1;
  if (record.runs.every(({ state }) => state !== 'measured')) throw new Error('nothing could be measured');
  return 0;
}

async function measure(options: Options): Promise<RunRecord> {
  const plans = makePlans(options);
  const watch = new AdultWatch(
    options.data,
    options.filler ? [options.catalogue, options.filler] : [options.catalogue],
  );
  await using target = await openTarget(options);
  const client = new Client(target.url, watch);
  const progress = new Progress(plans);
  const start = performance.now();
  const runs: Run[] = [];
  for (const plan of plans) runs.push(await runPlan(plan, client, progress));
  const seconds = (performance.now() - start) / 1000;
  return toRecord([...runs, ...adultRuns(runs, watch)], { options, watch, seconds, requests: client.requests });
}

/** Returns the plans: the sets in order, and each set in all its channels. */
function makePlans({ sets, modes, data, split, filler }: Options): Plan[] {
  return SETS.filter(({ name }) => sets.includes(name)).flatMap(({ name, asks, read }) => {
    const channels: readonly Channel[] = asks === 'search' ? modes : [asks];
    const left = name === FILLER_SET && !filler ? 'photo captions were not ingested; see --filler' : undefined;
    const questions = left ? undefined : read(data, split);
    const reason = left ?? (questions ? undefined : 'files are missing');
    return channels.map((channel) => ({ set: name, channel, questions, ...(reason ? { reason } : {}) }));
  });
}

/** Returns the results of the watch over all responses, as one run for each operation. */
function adultRuns(runs: readonly Run[], watch: AdultWatch): Run[] {
  const operations = ['search', 'suggest', 'similar'] as const;
  return operations.flatMap((operation) => {
    const asked = runs.filter(({ channel }) => channel === operation || (operation === 'search' && isMode(channel)));
    const measured = asked.filter(({ state }) => state === 'measured');
    const first = measured[0] ?? asked[0];
    if (!first) return [];
    const run = { ...first, set: 'adult', channel: operation, figures: [] };
    if (measured.length === 0) return [run];
    const value = watch.found(operation);
    const answers = measured.reduce((sum, { answers: n }) => sum + n, 0);
    const name = { set: 'adult', part: operation === 'suggest' ? 'terms' : 'ids', metric: 'found', channel: operation };
    const figure = { ...name, value, low: value, high: value, questions: answers, samples: [] };
    return [{ ...run, answers, figures: [figure] }];
  });
}

function isMode(channel: Run['channel']): boolean {
  return channel === 'auto' || channel === 'text' || channel === 'semantic';
}

function toJson(record: RunRecord): string {
  return `${JSON.stringify(record, undefined, 2)}\n`;
}
