import fs from 'node:fs/promises';
import path from 'node:path';
import type { Withheld } from '../index/index.ts';
import { replaceDurably } from '../platform/files/index.ts';
import type { Store } from '../service/index.ts';

/** The GIFs that must not be shown, even if a build contains them. */
export interface Hidden {
  /** Ids of hidden GIFs. */
  hidden: ReadonlySet<string>;
  withheld: Withheld;
}

type Where = Pick<Store, 'folder' | 'databaseUrl'>;

/**
 * Saves the list of hidden GIFs. With the list, the service can start while PostgreSQL is down. If the catalogue is in
 * the folder, no list is saved, because the catalogue is always available.
 */
export async function rememberHidden(store: Where, { hidden, withheld }: Hidden): Promise<void> {
  if (store.databaseUrl === '') return;
  const { ids, originals, terms } = withheld;
  const saved = { hidden: [...hidden], ids, originals: [...originals], terms: [...terms] };
  await replaceDurably(fileIn(store), JSON.stringify(saved));
}

/** Returns the GIFs that were hidden when the catalogue was last read, or undefined if the list was never saved. */
export async function recallHidden(store: Where): Promise<Hidden | undefined> {
  if (store.databaseUrl === '') return undefined;
  try {
    const { hidden, ids = [], originals, terms } = JSON.parse(await fs.readFile(fileIn(store), 'utf8'));
    return { hidden: new Set(hidden), withheld: { ids, originals: new Set(originals), terms: new Map(terms) } };
  } catch {
    return undefined;
  }
}

function fileIn({ folder }: Where): string {
  return path.join(folder, 'hidden.json');
}
