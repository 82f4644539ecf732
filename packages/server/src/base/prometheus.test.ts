import { expect, test } from 'vitest';
import { metric } from './metrics.ts';

test('a metric has its help, its type and a line for each sample', () => {
  const samples = [
    { value: 3, labels: { kind: 'cat', size: 'large' } },
    { value: 0.5, labels: { kind: 'dog' } },
  ];
  expect(metric('zoetrope_pets', 'gauge', 'Pets by kind', samples)).toBe(
    [
      '# HELP zoetrope_pets Pets by kind',
      '# TYPE zoetrope_pets gauge',
      'zoetrope_pets{kind="cat",size="large"} 3',
      'zoetrope_pets{kind="dog"} 0.5',
      '',
    ].join('\n'),
  );
});

test('a sample without labels has no braces, and a suffix follows the name', () => {
  const text = metric('zoetrope_seconds', 'histogram', 'How long', [{ value: 7, suffix: '_count' }]);
  expect(text).toContain('\nzoetrope_seconds_count 7\n');
});

test('escapes label values from requests', () => {
  const text = metric('zoetrope_relays', 'gauge', 'Relays', [{ value: 1, labels: { relay: 'a"\\\nb' } }]);
  expect(text).toContain('{relay="a\\"\\\\\\nb"} 1\n');
});
