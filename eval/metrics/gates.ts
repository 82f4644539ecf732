import { differences, type Interval, mean, meanInterval } from './bootstrap.ts';
import { type Figure, type FigureName, keyOf, type Run } from './figures.ts';

export interface Gate extends FigureName {
  /** The figure must be at least this value, or at most this value if `bound` is `most`. */
  gate: number;
  aim: number;
  bound?: 'most';
  /** If given, the gate applies only to services with this embedder. */
  embedder?: string;
}

/** The languages of the everyday set other than English. */
const EVERYDAY = 'de es fr pt it nl pl ru tr ar hi ja zh ko'.split(' ');

/** The languages and romanised spellings of the set more_languages. */
const MORE = 'cs sk sv da nb fi hu ro el uk bg hr he fa vi th id ms tl bn ta ur sw ca hi-Latn ar-Latn zh-Latn'.split(
  ' ',
);

export const GATES: readonly Gate[] = [
  { set: 'paraphrase', part: 'tgif', metric: 'recall@10', channel: 'auto', gate: 0.46, aim: 0.5 },
  { set: 'paraphrase', part: 'tgif_multi', metric: 'recall@10', channel: 'auto', gate: 0.29, aim: 0.33 },
  { set: 'paraphrase', part: 'reddit', metric: 'recall@10', channel: 'auto', gate: 0.68, aim: 0.74 },
  { set: 'concepts', part: 'emoji', metric: 'P@24', channel: 'auto', gate: 0.88, aim: 0.97 },
  { set: 'concepts', part: 'languages', metric: 'P@24', channel: 'auto', gate: 0.945, aim: 0.96 },
  { set: 'concepts', part: 'en', metric: 'P@24', channel: 'auto', gate: 0.9, aim: 0.97 },
  { set: 'reactions', part: 'emoji', metric: 'P@24', channel: 'auto', gate: 0.5, aim: 0.6 },
  { set: 'reactions', part: 'tag', metric: 'P@24', channel: 'auto', gate: 0.72, aim: 0.92 },
  { set: 'everyday', part: 'en', metric: 'share', channel: 'auto', gate: 0.966, aim: 0.98 },
  { set: 'everyday', part: 'languages', metric: 'share', channel: 'auto', gate: 0.85, aim: 0.92 },
  ...EVERYDAY.map((part) => shareGate('everyday', part, { gate: 0.75, aim: 0.85 })),
  { set: 'everyday', part: 'languages', metric: 'answered', channel: 'auto', gate: 1, aim: 1 },
  { set: 'more_languages', part: 'languages', metric: 'share', channel: 'auto', gate: 0.85, aim: 0.95 },
  ...MORE.map((part) => shareGate('more_languages', part, { gate: part === 'ar-Latn' ? 0.6 : 0.8, aim: 0.9 })),
  { set: 'sentences', part: 'languages', metric: 'share', channel: 'auto', gate: 0.76, aim: 0.82 },
  { set: 'synonyms', part: 'en', metric: 'share', channel: 'auto', gate: 0.6, aim: 0.75 },
  { set: 'half_typed', part: 'steps', metric: 'hit', channel: 'auto', gate: 0.8, aim: 0.9 },
  { set: 'half_typed', part: 'steps', metric: 'answered', channel: 'auto', gate: 1, aim: 1 },
  { set: 'slips', part: 'real', metric: 'hit', channel: 'auto', gate: 0.85, aim: 0.92 },
  { set: 'logged', part: 'pages', metric: 'inoffensive', channel: 'auto', gate: 0.999, aim: 1 },
  { set: 'logged', part: 'pages', metric: 'meant', channel: 'auto', gate: 0.999, aim: 1 },
  {
    ...{ set: 'photos', part: 'de', metric: 'recall@10', channel: 'auto', gate: 0.3, aim: 0.4 },
    embedder: 'multilingual-e5-small',
  },
  { set: 'typo', part: 'real', metric: 'hit@8', channel: 'suggest', gate: 0.9, aim: 0.95 },
  { set: 'typo', part: 'edits', metric: 'hit@8', channel: 'suggest', gate: 0.98, aim: 0.99 },
  { set: 'prefix', part: 'order', metric: 'violations', channel: 'suggest', gate: 0, aim: 0, bound: 'most' },
  { set: 'emoji_same', part: 'all', metric: 'same', channel: 'auto', gate: 1, aim: 1 },
  { set: 'emoji_same', part: 'all', metric: 'same', channel: 'text', gate: 1, aim: 1 },
  { set: 'adult', part: 'ids', metric: 'found', channel: 'search', gate: 0, aim: 0, bound: 'most' },
  { set: 'adult', part: 'ids', metric: 'found', channel: 'similar', gate: 0, aim: 0, bound: 'most' },
  { set: 'adult', part: 'terms', metric: 'found', channel: 'suggest', gate: 0, aim: 0, bound: 'most' },
];

function shareGate(set: string, part: string, bounds: Pick<Gate, 'gate' | 'aim'>): Gate {
  return { set, part, metric: 'share', channel: 'auto', ...bounds };
}

export interface Verdict {
  name: string;
  status: 'passed' | 'failed' | 'not run' | 'absent';
  /** The requirement, in words. */
  demand: string;
  aim?: number;
  figure?: Figure;
  /** The distance of the figure from the gate. If it is negative, the figure misses the gate by this much. */
  margin?: number;
  /** The 95 % interval of the margin, if two searches are compared question by question. */
  interval?: Interval;
  note?: string;
}

/**
 * Judges every gate whose set was run. If a part of the service does not run, the gates of that part are not passed.
 */
export function judge(runs: readonly Run[], embedder: string | undefined): Verdict[] {
  const gates = GATES.filter((gate) => gate.embedder === undefined || gate.embedder === embedder);
  return [...gates.flatMap((gate) => judgeGate(gate, runs)), ...runs.flatMap((run) => judgeAgainstText(run, runs))];
}

export function isFailure({ status }: Verdict): boolean {
  return status === 'failed' || status === 'not run';
}

function judgeGate(gate: Gate, runs: readonly Run[]): Verdict[] {
  const demand = `${gate.bound === 'most' ? '<=' : '>='} ${gate.gate}`;
  return withFigure(gate, { demand, aim: gate.aim }, runs, (figure) => {
    const margin = gate.bound === 'most' ? gate.gate - figure.value : figure.value - gate.gate;
    return { status: margin >= 0 ? 'passed' : 'failed', margin };
  });
}

/**
 * Judges hybrid search. It must not be worse than text search alone in any part or metric. A gate fails if the whole
 * interval of the difference, question by question, is below zero. If semantic search was not used, both searches are
 * equal, so the comparison proves nothing.
 */
function judgeAgainstText(run: Run, runs: readonly Run[]): Verdict[] {
  if (run.channel !== 'auto') return [];
  return run.figures.flatMap((figure) => {
    const text = findFigure({ ...figure, channel: 'text' }, runs);
    if (!text) return [];
    const paired = differences(figure.samples, text.samples);
    const compared = {
      name: keyOf(figure),
      demand: '>= text',
      figure,
      margin: mean(paired),
      interval: meanInterval(paired),
    };
    if (compared.interval.high < 0) return { ...compared, status: 'failed' };
    if (run.semantic === 0) return { ...compared, status: 'not run', note: 'semantic search was not used' };
    return { ...compared, status: 'passed' };
  });
}

type Judgement = Pick<Verdict, 'status' | 'margin' | 'note'>;

/** Judges a gate by its figure. There is no verdict if the set was not run or the figure does not exist. */
function withFigure(
  gate: Gate,
  known: Pick<Verdict, 'demand' | 'aim'>,
  runs: readonly Run[],
  decide: (figure: Figure, run: Run) => Judgement,
): Verdict[] {
  const run = runs.find(({ set, channel }) => set === gate.set && channel === gate.channel);
  if (!run) return [];
  const name = keyOf(gate);
  const figure = findFigure(gate, [run]);
  if (figure) return [{ name, ...known, figure, ...decide(figure, run) }];
  const status = run.state === 'not running' ? 'not run' : 'absent';
  return [{ name, ...known, status, note: run.reason ?? 'no question of this part' }];
}

function findFigure(name: FigureName, runs: readonly Run[]): Figure | undefined {
  return runs.flatMap(({ figures }) => figures).find((figure) => keyOf(figure) === keyOf(name));
}
