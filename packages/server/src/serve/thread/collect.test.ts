import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { collectAfterSwap } from './collect.ts';

afterEach(() => {
  vi.useRealTimers();
});

describe('collectAfterSwap', () => {
  it('frees shared memory that nothing refers to any more', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const old = new WeakRef(new SharedArrayBuffer(1_000));
    collectAfterSwap();
    vi.runAllTimers();
    await nextTurn(); // a WeakRef keeps its target until the end of the turn in which it was created
    collectAfterSwap();
    vi.runAllTimers();
    expect(old.deref()).toBeUndefined();
  });
});
