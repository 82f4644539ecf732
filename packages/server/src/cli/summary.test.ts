import { expect, test } from 'vitest';
import type { WorkSummary } from '../work/index.ts';
import { summarise } from './summary.ts';

const NOTHING: WorkSummary = { added: 1, known: 0, linked: 0, refused: [], build: 'b', documents: 1, withheld: [] };

const refusals = (count: number, reason = 'broken') =>
  Array.from({ length: count }, (_, n) => ({ key: `${reason} ${n}.gif`, reason, message: 'its file ends too early' }));

function linesOf(summary: object): string[] {
  return summarise({ ...NOTHING, ...summary } as WorkSummary)
    .split('\n')
    .slice(1);
}

test('the reasons of rejected files are counted, the most frequent first', () => {
  const [head] = linesOf({ refused: [...refusals(1, 'too_large'), ...refusals(2)] });
  expect(head).toBe('3 rejected: broken 2, too_large 1');
});

test('at most 20 rejected files are listed, and the others are counted', () => {
  expect(linesOf({ refused: refusals(20) })).toHaveLength(1 + 20);
  const lines = linesOf({ refused: refusals(22) });
  expect(lines).toHaveLength(1 + 20 + 1);
  expect(lines.at(-1)).toBe('  ... and 2 more; zoetrope jobs show lists all of them');
});

test('at most 20 withheld files are listed, each with the commands that decide', () => {
  const withheld = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ id: `${n}.gif`, source: `/gifs/${n}` }));
  const [head, file, show, confirm] = linesOf({ withheld: withheld(1) });
  expect(head).toContain('1 of your own files is withheld');
  expect([file, show, confirm]).toEqual([
    '  /gifs/0',
    '    zoetrope gif safe 0.gif     to show it',
    '    zoetrope gif adult 0.gif    to confirm',
  ]);
  expect(linesOf({ withheld: withheld(20) })).toHaveLength(1 + 3 * 20);
  const lines = linesOf({ withheld: withheld(23) });
  expect(lines).toHaveLength(1 + 3 * 20 + 1);
  expect(lines.at(-1)).toContain('and 3 more');
});
