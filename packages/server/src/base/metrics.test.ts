import { expect, test } from 'vitest';
import { type Counted, Metrics, memoryForMetrics } from './metrics.ts';

const answer: Counted = { operation: 'search', client: 'registered', outcome: 'kept', milliseconds: 0.25 };

test('the counts of all threads are summed, in Prometheus format', () => {
  const memory = memoryForMetrics(2);
  const [one, other] = [new Metrics(memory, 0), new Metrics(memory, 1)];
  one.count(answer);
  other.count({ ...answer, milliseconds: 2.5 });
  other.count({ ...answer, client: 'development', outcome: 'degraded', milliseconds: 5_000 });
  one.countImage('made');
  other.countImage('made');
  other.countJob('failed');
  const lines = one.text().trimEnd().split('\n');
  const readSeries = (series: string): string | undefined =>
    lines.find((line) => line.startsWith(`${series} `))?.slice(series.length + 1);
  expect(readSeries('zoetrope_answers_total{operation="search",client="registered",outcome="kept"}')).toBe('2');
  expect(readSeries('zoetrope_answers_total{operation="search",client="development",outcome="degraded"}')).toBe('1');
  expect(readSeries('zoetrope_answers_total{operation="similar",client="registered",outcome="kept"}')).toBe('0');
  expect(readSeries('zoetrope_media_requests_total{outcome="made"}')).toBe('2');
  expect(readSeries('zoetrope_media_requests_total{outcome="cut"}')).toBe('0');
  expect(readSeries('zoetrope_media_jobs_total{outcome="failed"}')).toBe('1');
  expect(readSeries('zoetrope_media_jobs_total{outcome="made"}')).toBe('0');
  const buckets = ['0.0005', '0.001', '0.0025', '1', '+Inf'].map((le) =>
    readSeries(`zoetrope_answer_seconds_bucket{operation="search",le="${le}"}`),
  );
  expect(buckets).toEqual(['1', '1', '2', '2', '3']);
  expect(readSeries('zoetrope_answer_seconds_count{operation="search"}')).toBe('3');
  expect(Number(readSeries('zoetrope_answer_seconds_sum{operation="search"}'))).toBeCloseTo(5.00275);
  for (const line of lines) {
    expect(line).toMatch(/^(?:# (?:HELP|TYPE) zoetrope_\w+ .+|zoetrope_\w+(?:\{(?:\w+="[^"]+",?)+\})? [\d.]+)$/);
  }
});

test('comparisons with another engine are counted, with their overlap and time', () => {
  const memory = memoryForMetrics(2);
  const [one, other] = [new Metrics(memory, 0), new Metrics(memory, 1)];
  one.countComparison({ overlap: 1, milliseconds: 20 });
  other.countComparison({ overlap: 0.5, milliseconds: 2_000 });
  other.countNoComparison('busy');
  const lines = one.comparisonsText().split('\n');
  for (const line of [
    'zoetrope_shadow_searches_total{outcome="compared"} 2',
    'zoetrope_shadow_searches_total{outcome="busy"} 1',
    'zoetrope_shadow_searches_total{outcome="failed"} 0',
    'zoetrope_shadow_overlap_bucket{le="0.5"} 1',
    'zoetrope_shadow_overlap_bucket{le="0.99"} 1',
    'zoetrope_shadow_overlap_bucket{le="1"} 2',
    'zoetrope_shadow_overlap_sum 1.5',
    'zoetrope_shadow_overlap_count 2',
    'zoetrope_shadow_seconds_bucket{le="0.025"} 1',
    'zoetrope_shadow_seconds_bucket{le="1"} 1',
    'zoetrope_shadow_seconds_bucket{le="+Inf"} 2',
    'zoetrope_shadow_seconds_sum 2.02',
  ]) {
    expect(lines).toContain(line);
  }
  expect(one.text()).not.toContain('shadow');
});
