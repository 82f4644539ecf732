import { describe, expect, it } from 'vitest';
import type { Channel, Question } from '../questions/question.ts';
import type { Run } from './figures.ts';
import { toFigures } from './figures.ts';
import { GATES, isFailure, judge, type Verdict } from './gates.ts';

const ask: Question['ask'] = async () => ({ scores: {} });

/** Returns a run of the tgif captions in which the first `hits` of 100 were found. */
function tgif(channel: Channel, hits: number, semantic: number): Run {
  const questions = Array.from({ length: 100 }, (_, at) => ({ group: `${at}`, parts: ['tgif'], ask }));
  const scored = questions.map((_, at) => ({ scores: { 'recall@10': at < hits ? 1 : 0 } }));
  const figures = toFigures('paraphrase', channel, questions, scored);
  return { set: 'paraphrase', channel, state: 'measured', answers: 100, semantic, figures };
}

function statuses(verdicts: Verdict[]): Record<string, string> {
  return Object.fromEntries(verdicts.map(({ name, demand, status }) => [`${name} ${demand}`, status]));
}

const GATE = 'paraphrase/tgif/recall@10/auto >= 0.46';
const AGAINST_TEXT = 'paraphrase/tgif/recall@10/auto >= text';

describe('a gate', () => {
  it('is passed at its figure and failed below it', () => {
    expect(statuses(judge([tgif('auto', 46, 100)], undefined))[GATE]).toBe('passed');
    expect(statuses(judge([tgif('auto', 45, 100)], undefined))[GATE]).toBe('failed');
  });

  it('reports the distance as a margin', () => {
    expect(judge([tgif('auto', 30, 100)], undefined)[0]!.margin).toBeCloseTo(-0.16);
  });

  it('counts as failed if its part of the service does not run', () => {
    const down: Run = { ...tgif('auto', 0, 0), state: 'not running', reason: '503 x', figures: [] };
    const verdicts = judge([down], undefined);
    expect(statuses(verdicts)[GATE]).toBe('not run');
    expect(verdicts.every(isFailure)).toBe(true);
  });

  it('is absent, not zero, if its data is missing', () => {
    const absent: Run = { ...tgif('auto', 0, 0), state: 'absent', reason: 'files are missing', figures: [] };
    const verdicts = judge([absent], undefined);
    expect(statuses(verdicts)[GATE]).toBe('absent');
    expect(verdicts.some(isFailure)).toBe(false);
  });

  it('is omitted if its set or mode was not run', () => {
    expect(judge([tgif('text', 50, 0)], undefined)).toEqual([]);
  });

  it('for one embedder applies only to that embedder', () => {
    const photos: Run = { ...tgif('auto', 0, 0), set: 'photos', state: 'absent', figures: [] };
    expect(judge([photos], undefined)).toEqual([]);
    expect(judge([photos], 'multilingual-e5-small')).toHaveLength(1);
  });

  it('is never stricter than its aim', () => {
    for (const { gate, aim, bound } of GATES)
      expect(bound === 'most' ? gate - aim : aim - gate).toBeGreaterThanOrEqual(0);
  });
});

describe('hybrid search compared with text search', () => {
  const against = (auto: number, text: number, semantic = 100) =>
    statuses(judge([tgif('auto', auto, semantic), tgif('text', text, 0)], undefined))[AGAINST_TEXT];

  it('fails if it is worse by more than chance explains', () => {
    expect(against(50, 50)).toBe('passed');
    expect(against(48, 50)).toBe('passed');
    expect(against(40, 50)).toBe('failed');
  });

  it('reports the difference with its interval', () => {
    const verdicts = judge([tgif('auto', 40, 100), tgif('text', 50, 0)], undefined);
    const { margin, interval } = verdicts.find(({ demand }) => demand === '>= text')!;
    expect(margin).toBeCloseTo(-0.1);
    expect([interval!.low < -0.1, interval!.high > -0.1, interval!.high < 0]).toEqual([true, true, true]);
  });

  it('is judged in every part and metric, even those without a gate', () => {
    const other = (channel: Channel, hits: number): Run => {
      const run = tgif(channel, hits, 100);
      return {
        ...run,
        set: 'anything',
        figures: run.figures.map((figure) => ({ ...figure, set: 'anything', part: 'x' })),
      };
    };
    const found = statuses(judge([other('auto', 10), other('text', 50)], undefined));
    expect(found).toEqual({ 'anything/x/recall@10/auto >= text': 'failed' });
  });

  it('does not pass if semantic search was not used', () => {
    expect(against(50, 50, 0)).toBe('not run');
    expect(against(40, 50, 0)).toBe('failed');
  });
});
