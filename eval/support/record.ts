import { execFileSync } from 'node:child_process';
import { keyOf, type Run } from '../metrics/figures.ts';
import { judge, type Verdict } from '../metrics/gates.ts';
import type { AdultWatch } from './adult.ts';
import { commandOf, type Options } from './options.ts';

/**
 * A stored run. It contains the commit, a description of the data, and every figure, but no queries or ids from the
 * data.
 */
export interface RunRecord {
  date: string;
  commit: string;
  command: string;
  seconds: number;
  requests: number;
  /** Number of rows in the manifests, and the number of rows that can be found. */
  catalogue: { rows: number; safe: number; filler: boolean };
  /** A description of how semantic search was used. */
  embedder: string;
  runs: Omit<Run, 'figures'>[];
  figures: Record<string, { value: number; low: number; high: number; questions: number }>;
  gates: (Omit<Verdict, 'figure'> & { name: string })[];
}

export interface Facts {
  options: Options;
  watch: AdultWatch;
  seconds: number;
  requests: number;
}

export function toRecord(runs: readonly Run[], { options, watch, seconds, requests }: Facts): RunRecord {
  const figures = runs.flatMap((run) => run.figures);
  return {
    date: new Date().toISOString().slice(0, 10),
    commit: commitNow(),
    command: commandOf(options),
    seconds: Math.round(seconds),
    requests,
    catalogue: { ...watch.size, filler: options.filler !== undefined },
    embedder: embedderState(runs, options.embedder),
    runs: runs.map(({ figures: _, ...run }) => run),
    figures: Object.fromEntries(
      figures.map((figure) => {
        const { value, low, high, questions } = figure;
        return [keyOf(figure), { value: short(value), low: short(low), high: short(high), questions }];
      }),
    ),
    gates: judge(runs, options.embedder).map(({ figure: _, ...verdict }) => verdict),
  };
}

function embedderState(runs: readonly Run[], name: string | undefined): string {
  const auto = runs.filter(({ channel, state }) => channel === 'auto' && state === 'measured');
  const answers = auto.reduce((sum, run) => sum + run.answers, 0);
  const semantic = auto.reduce((sum, run) => sum + run.semantic, 0);
  if (answers === 0) return 'not asked';
  if (semantic === 0) return 'not running: every response is words-only';
  return `${name ? `${name}: ` : ''}took part in ${semantic} of ${answers} answers`;
}

/** Returns the commit from which the service was started, and whether its code differed from that commit. */
function commitNow(): string {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim();
  try {
    const changed = git('status', '--porcelain', '--', 'packages') !== '';
    return git('rev-parse', '--short', 'HEAD') + (changed ? ' with local changes' : '');
  } catch {
    return 'unknown';
  }
}

function short(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
