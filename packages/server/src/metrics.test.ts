import { expect, test } from 'vitest';
import { Metrics } from './metrics.ts';

test('threads count together, in the form that Prometheus reads', () => {
  const one = new Metrics();
  const other = new Metrics(one.memory);
  one.count('search');
  other.count('search');
  other.count('degraded');
  const lines = one.text().trimEnd().split('\n');
  expect(lines).toContain('zoetrope_answers_total{operation="search"} 2');
  expect(lines).toContain('zoetrope_answers_total{operation="suggest"} 0');
  expect(lines).toContain('zoetrope_answers_degraded_total 1');
  for (const line of lines)
    expect(line).toMatch(/^(?:# (?:HELP|TYPE) zoetrope_\w+ .+|zoetrope_\w+(?:\{\w+="\w+"\})? \d+)$/);
});
