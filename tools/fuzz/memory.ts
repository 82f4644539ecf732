import { setTimeout } from 'node:timers/promises';

/** Maximum memory, as a multiple of the control. */
const MULTIPLE = 2;
/** Objects that only finalizers and closing connections refer to are freed within some turns of the event loop. */
const SETTLE = { collections: 3, pauseMs: 20 };
const MB = 1_000_000;

interface Use {
  readonly heap: number;
  readonly rss: number;
}

/**
 * Watches the memory of this process. The control is its memory after the first turn of the last target that was opened,
 * because a first turn loads code and fills caches.
 */
export class Memory {
  #control: Use | undefined;

  async setControl(): Promise<void> {
    this.#control = await settled();
  }

  /**
   * Returns a description if memory has grown too much since the control, otherwise undefined. Reports this only once.
   */
  async complaint(): Promise<string | undefined> {
    const control = this.#control;
    if (control === undefined || grownIn(control, now()) === undefined) return undefined;
    // Most of this memory is garbage, so it is measured again after collecting garbage.
    const settledUse = await settled();
    const grown = grownIn(control, settledUse);
    if (grown === undefined) return undefined;
    this.#control = settledUse;
    return `memory: ${grown} grew from ${Math.round(control[grown] / MB)} to ${Math.round(settledUse[grown] / MB)} MB`;
  }
}

function grownIn(control: Use, use: Use): keyof Use | undefined {
  return (['heap', 'rss'] as const).find((what) => use[what] > MULTIPLE * control[what]);
}

async function settled(): Promise<Use> {
  for (let n = 0; n < SETTLE.collections; n++) {
    globalThis.gc?.();
    await setTimeout(SETTLE.pauseMs);
  }
  return now();
}

function now(): Use {
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heap: heapUsed + external, rss };
}
