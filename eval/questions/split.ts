import { createHash } from 'node:crypto';

/** The half for tuning, the half that is held back, or both. */
export type Split = 'dev' | 'held' | 'all';

export const SPLITS: readonly Split[] = ['dev', 'held', 'all'];

/**
 * Returns the half that a group belongs to. Questions that share something (the wanted GIF, the concept, the prefix)
 * are in the same half. `sha256('split1:' + group)` is taken as a number, and its last bit decides. With this rule,
 * every row of the development files is in `dev`. With the parity of the first byte or the first word, only half of the
 * rows are.
 */
export function half(group: string): 'dev' | 'held' {
  const digest = createHash('sha256').update(`split1:${group}`).digest();
  return digest.at(-1)! % 2 === 0 ? 'dev' : 'held';
}

export function isIn(split: Split, group: string): boolean {
  return split === 'all' || half(group) === split;
}
