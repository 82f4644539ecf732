import { createHash } from 'node:crypto';

/** The half for tuning, the half that is held back, or both. */
export type Split = 'dev' | 'held' | 'all';

export const SPLITS: readonly Split[] = ['dev', 'held', 'all'];

/**
 * Returns the half to which a group belongs. Questions with the same wanted GIF, concept or prefix are in one group,
 * and so in one half. The last bit of the number `sha256('split1:' + group)` decides. With this rule, every row of the
 * development files is in `dev`. (With the parity of the first byte or the first word, only half of the rows are.)
 */
export function half(group: string): 'dev' | 'held' {
  const digest = createHash('sha256').update(`split1:${group}`).digest();
  return digest.at(-1)! % 2 === 0 ? 'dev' : 'held';
}

export function isIn(split: Split, group: string): boolean {
  return split === 'all' || half(group) === split;
}
