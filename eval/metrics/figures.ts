import type { Channel, Question, Scored } from '../questions/question.ts';
import { type Interval, mean, meanInterval, type Sample } from './bootstrap.ts';

export interface FigureName {
  set: string;
  part: string;
  metric: string;
  channel: Channel | 'search';
}

/** One number of the report. */
export interface Figure extends FigureName, Interval {
  questions: number;
  value: number;
  /** The scores from which the figure was computed, in the order of the questions. */
  samples: readonly Sample[];
}

/** The result of one set in one channel. */
export interface Run {
  set: string;
  /** The channel, or `search` for all search modes together. */
  channel: Channel | 'search';
  /** `absent` means that there are no questions. `not running` means that the service responded with 503. */
  state: 'measured' | 'absent' | 'not running';
  reason?: string;
  answers: number;
  /** Number of responses that used semantic search. */
  semantic: number;
  figures: Figure[];
}

/** Metrics whose scores are added up. The scores of all other metrics are averaged. */
const COUNTS = new Set(['violations', 'found']);

/** Returns a figure for each part and metric in the scores. */
export function toFigures(set: string, channel: Channel, asked: readonly Question[], scored: Scored[]): Figure[] {
  const lines = new Map<string, { part: string; metric: string; samples: Sample[] }>();
  for (const [at, { group, parts }] of asked.entries()) {
    for (const part of parts) {
      for (const [metric, value] of Object.entries(scored[at]!.scores)) {
        const line = lines.get(`${part} ${metric}`) ?? { part, metric, samples: [] };
        line.samples.push({ group, value });
        lines.set(`${part} ${metric}`, line);
      }
    }
  }
  return [...lines.values()].map((line) => ({ set, channel, ...line, ...measure(line.metric, line.samples) }));
}

function measure(metric: string, samples: readonly Sample[]): Interval & { value: number; questions: number } {
  const factor = COUNTS.has(metric) ? samples.length : 1;
  const { low, high } = meanInterval(samples);
  return { value: mean(samples) * factor, low: low * factor, high: high * factor, questions: samples.length };
}

/** Returns the name of a figure in files. The name is the same in every run. */
export function keyOf({ set, part, metric, channel }: FigureName): string {
  return [set, part, metric, channel].join('/');
}

export function isCount(metric: string): boolean {
  return COUNTS.has(metric);
}
