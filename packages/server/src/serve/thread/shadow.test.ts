import type { SearchMode } from '@zoetrope/contract';
import { expect, test, vi } from 'vitest';
import { ServiceError } from '../../base/errors.ts';
import { createLog } from '../../base/log.ts';
import { Metrics, memoryForMetrics } from '../../base/metrics.ts';
import type { Ranked, Search } from '../../index/index.ts';
import { Shadow } from './shadow.ts';

const PATIENCE = { timeout: 30_000 };

function rankedOf(ids: readonly string[]): Ranked {
  return { count: ids.length, gifs: (from, to) => ids.slice(from, to).map((id) => ({ id })) as never };
}

/** Creates a replacement for an index in a cluster, because these tests need one that fails or hangs. */
function indexOf(begin: (query: string) => Promise<Ranked>): Search {
  const index = {
    hasMeaning: true,
    forRequest: () => index,
    in: () => index,
    correct: () => undefined,
    begin: async (query: string) => ({
      ...{ meant: query, isShort: true, isEnough: false },
      endWithWords: () => begin(query),
      endWithMeaning: () => begin(`${query} with meaning`),
    }),
  };
  return index as unknown as Search;
}

function open(share: number) {
  const metrics = new Metrics(memoryForMetrics(1), 0);
  const log = createLog('silent');
  const warn = vi.spyOn(log, 'warn');
  const shadow = new Shadow({ share, random: () => 0.5, metrics, log });
  const countOf = (series: string) => Number(new RegExp(`^${series} (.+)$`, 'm').exec(metrics.comparisonsText())![1]);
  const counts = () =>
    ['compared', 'busy', 'missing', 'failed'].map((outcome) =>
      countOf(`zoetrope_shadow_searches_total\\{outcome="${outcome}"\\}`),
    );
  return { shadow, counts, warn, overlap: () => countOf('zoetrope_shadow_overlap_sum') };
}

const found = (ids: readonly string[], vector?: Float32Array, mode: SearchMode = 'auto') => ({
  ...{ q: 'cat', mode, language: undefined, vector, ranked: rankedOf(ids) },
});

test('compares the first page, with the vector of the search', async () => {
  const { shadow, counts, overlap } = open(0.51);
  const ids = Array.from({ length: 30 }, (_, n) => `${n}.gif`);
  const begin = vi.fn(async (query: string) => rankedOf(query.endsWith('meaning') ? ids.slice(6) : ids));
  shadow.use(indexOf(begin));
  shadow.compare(found(ids));
  shadow.compare(found(ids, Float32Array.of(1, 0)));
  await vi.waitFor(() => expect(counts()).toEqual([2, 0, 0, 0]), PATIENCE);
  expect(begin.mock.calls).toEqual([['cat'], ['cat with meaning']]);
  expect(overlap()).toBe(1 + 18 / 24);
});

test('two empty lists are the same', async () => {
  const { shadow, counts, overlap } = open(1);
  shadow.use(indexOf(async () => rankedOf([])));
  shadow.compare(found([]));
  await vi.waitFor(() => expect(counts()).toEqual([1, 0, 0, 0]), PATIENCE);
  expect(overlap()).toBe(1);
});

test('compares only a share of the searches, and none while there is no index', () => {
  const rare = open(0.49);
  rare.shadow.compare(found([]));
  expect(rare.counts()).toEqual([0, 0, 0, 0]);
  const { shadow, counts } = open(1);
  shadow.compare(found([]));
  expect(counts()).toEqual([0, 0, 1, 0]);
});

test('counts failures, logs the first of them, and drops comparisons while too many hang', async () => {
  const { shadow, counts, warn } = open(1);
  const { promise, reject } = Promise.withResolvers<Ranked>();
  const begin = vi.fn(() => promise);
  shadow.use(indexOf(begin));
  for (let n = 0; n < 6; n++) shadow.compare(found([]));
  expect(counts()).toEqual([0, 2, 0, 0]);
  await vi.waitFor(() => expect(begin).toHaveBeenCalledTimes(4), PATIENCE);
  reject(new ServiceError('upstream_unavailable', 'the search cluster is unavailable'));
  await vi.waitFor(() => expect(counts()).toEqual([0, 2, 0, 4]), PATIENCE);
  expect(warn).toHaveBeenCalledTimes(1);
  shadow.use(indexOf(async () => rankedOf([])));
  shadow.compare(found([]));
  await vi.waitFor(() => expect(counts()).toEqual([1, 2, 0, 4]), PATIENCE);
});
