import fs from 'node:fs/promises';
import path from 'node:path';
import type { TakenOut } from '../index/index.ts';
import { writeDurably } from '../platform/files/index.ts';
import type { Store } from '../service/index.ts';

/** What must not be shown, even if a build contains it. */
export interface Hidden {
  /** Ids of hidden GIFs. */
  hidden: ReadonlySet<string>;
  takenOut: TakenOut;
}

type Where = Pick<Store, 'folder' | 'databaseUrl'>;

/** Saves what is hidden, so that the service can start while PostgreSQL is down. A catalogue in the folder is always there. */
export async function rememberHidden(store: Where, { hidden, takenOut }: Hidden): Promise<void> {
  if (store.databaseUrl === '') return;
  const { originals, terms } = takenOut;
  const part = `${fileIn(store)}.part`;
  await writeDurably(part, JSON.stringify({ hidden: [...hidden], originals: [...originals], terms: [...terms] }));
  await fs.rename(part, fileIn(store));
}

/** Returns what was hidden when the catalogue was last read, or undefined if that was never saved. */
export async function recallHidden(store: Where): Promise<Hidden | undefined> {
  if (store.databaseUrl === '') return undefined;
  try {
    const { hidden, originals, terms } = JSON.parse(await fs.readFile(fileIn(store), 'utf8'));
    return { hidden: new Set(hidden), takenOut: { originals: new Set(originals), terms: new Map(terms) } };
  } catch {
    return undefined;
  }
}

function fileIn({ folder }: Where): string {
  return path.join(folder, 'hidden.json');
}
