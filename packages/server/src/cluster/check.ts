import { encodeStored } from '../builds/index.ts';
import { countShown, type ShownPolicy, snapshot } from '../catalog/index.ts';
import { type Database, inSnapshot } from '../platform/db/index.ts';
import { revision } from '../records/index.ts';
import { countGifs } from './layout.ts';
import type { Cluster } from './open.ts';
import { readStored } from './queries.ts';
import { readState } from './state.ts';

/** The result of `checkIndex`. */
export interface IndexCheck {
  /** Revisions of the catalogue and of the index. */
  revisions: { catalogue: number; index: number };
  /** Numbers of GIFs that can be found, in the catalogue and in the index. */
  gifs: { catalogue: number; index: number };
  /** Number of GIFs that were compared. */
  compared: number;
  /** Ids of the compared GIFs that are missing in the index, or that differ from the catalogue. */
  different: string[];
}

interface CheckOptions extends Cluster {
  db: Database;
  policy: ShownPolicy;
  onProgress: (done: number, total: number) => void;
  signal: AbortSignal;
}

const BATCH = 500;
/** Approximate number of GIFs that are compared. They are spread evenly over the catalogue. */
const SAMPLE = 2_000;
const DEADLINE_MS = 60_000;

/**
 * Compares the index in the cluster with the catalogue: the number of GIFs, and a sample of the GIFs.
 * @returns undefined if there is no index
 */
export async function checkIndex(options: CheckOptions): Promise<IndexCheck | undefined> {
  const { client, db, policy, onProgress, signal } = options;
  const state = await readState(options);
  const inIndex = state && (await countGifs(client, state.index));
  if (state === undefined || inIndex === undefined) return undefined;
  return inSnapshot(db, async (trx) => {
    const total = await countShown(trx, policy);
    const step = Math.ceil(total / SAMPLE);
    const different: string[] = [];
    let [done, safe, compared] = [0, 0, 0];
    for await (const gifs of snapshot(trx, BATCH, policy)) {
      signal.throwIfAborted();
      const shown = gifs.filter(({ adult }) => !adult);
      const sample = shown.filter((_, i) => (safe + i) % step === 0);
      const ids = sample.map(({ id }) => id);
      const stored = await readStored(client, state.index, ids, DEADLINE_MS);
      const isSame = sample.map((gif, i) => stored[i] && Buffer.compare(stored[i], encodeStored(gif)) === 0);
      different.push(...ids.filter((_, i) => !isSame[i]));
      compared += sample.length;
      safe += shown.length;
      done += gifs.length;
      onProgress(done, total);
    }
    return {
      revisions: { catalogue: await revision(trx), index: state.revision },
      gifs: { catalogue: safe, index: inIndex },
      compared,
      different,
    };
  });
}
