import { expect, it } from 'vitest';
import { half, isIn } from './split.ts';

it("the last bit of the group's hash selects the half", () => {
  // The last hexadecimal digits from `echo -n split1:cat | sha256sum`, and the same for the other groups: a, 2, 0, f,
  // 9, 7.
  expect(['cat', 'hat', '👻'].map(half)).toEqual(['dev', 'dev', 'dev']);
  expect(['run', 'bite', 'lamp'].map(half)).toEqual(['held', 'held', 'held']);
});

it('every group is in one half, and the halves are about equally large', () => {
  const groups = Array.from({ length: 1000 }, (_, n) => `group ${n}`);
  const dev = groups.filter((group) => isIn('dev', group));
  const held = groups.filter((group) => isIn('held', group));
  expect(dev.length + held.length).toBe(1000);
  expect(Math.abs(dev.length - 500)).toBeLessThan(60);
  expect(groups.every((group) => isIn('all', group))).toBe(true);
});
