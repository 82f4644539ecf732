import { setImmediate } from 'node:timers/promises';
import type { Build } from '@zoetrope/search';
import { type ShownPolicy, snapshot } from '../catalog/index.ts';
import type { Database } from '../platform/db/index.ts';
import { areChangesKnown, changedSince, type GifRecord, revision } from '../records/index.ts';
import { type Hold, isRolledBack } from './hold.ts';
import { openShared, type SharedBuild } from './load.ts';
import { decodeStored, toJsonBytes } from './stored-gif.ts';

/** Number of GIFs that are compared together. */
const BATCH = 500;

/** The outdated GIFs of a build, and the revision up to which they are known. */
interface OutdatedGifs {
  ids: Set<string>;
  revision: number;
}

/** The key is the build's list of hidden documents, which still identifies the build after its manifest has changed. */
const known = new WeakMap<SharedArrayBuffer, OutdatedGifs>();

/**
 * Returns the GIFs of a rolled-back build that it must not show, because they were hidden, removed or rated adult since
 * then, or because their texts or URL have changed. Only the GIFs that have changed since the last call are compared.
 * @returns an empty set if the build was not rolled back
 */
export async function outdatedIds(
  db: Database,
  shared: SharedBuild,
  { hold, policy }: { hold: Hold | undefined; policy: ShownPolicy },
): Promise<ReadonlySet<string>> {
  const { manifest, hidden, segments } = shared;
  if (!isRolledBack(hold, manifest)) return new Set();
  const build = openShared(segments);
  const last = known.get(hidden);
  const now = await revision(db);
  const since = last?.revision ?? manifest.revision;
  // If the settings have changed, unchanged GIFs can be hidden, too.
  const isPolicySame = last !== undefined || manifest.policy === JSON.stringify(policy);
  const areKnown = isPolicySame && (await areChangesKnown(db, since));
  const changed = areKnown ? await changedSince(db, since) : idsOf(build);
  const ids = new Set(areKnown ? last?.ids : []);
  for (let from = 0; from < changed.length; from += BATCH) {
    await compare(db, build, { some: changed.slice(from, from + BATCH), policy, ids });
    // Comparing a million GIFs takes a minute, and this thread's other work must not wait that long.
    await setImmediate();
  }
  known.set(hidden, { ids, revision: now });
  return ids;
}

function idsOf({ numbering }: Build): string[] {
  return numbering.segments.flatMap(({ manifest }, segment) => {
    const documents = Array.from({ length: manifest.documents }, (_, n) => numbering.starts[segment]! + n);
    return documents.filter((document) => !numbering.isRetired(document)).map((document) => numbering.id(document));
  });
}

interface Comparison {
  /** Current or former ids. */
  some: readonly string[];
  policy: ShownPolicy;
  /** Receives the outdated GIFs, by their ids in the build. */
  ids: Set<string>;
}

async function compare(db: Database, build: Build, { some, policy, ids }: Comparison): Promise<void> {
  const documents = new Set(some.map((id) => build.find(id)).filter((document) => document >= 0));
  const byId = new Map([...documents].map((document) => [build.id(document), document]));
  for (const id of byId.keys()) ids.add(id);
  for await (const gifs of snapshot(db, BATCH, policy, [...byId.keys()])) {
    for (const gif of gifs) if (isSame(build, byId.get(gif.id)!, gif)) ids.delete(gif.id);
  }
}

/** Returns whether a document of a build shows only what may be shown of the GIF now. */
function isSame(build: Build, document: number, { adult, url, title, tags }: GifRecord): boolean {
  if (adult && !build.isAdult(document)) return false;
  const stored = decodeStored(build.stored(document));
  // The texts are followed by the colours of the placeholder, which may change.
  const texts = toJsonBytes({ title, tags }).slice(1, -1);
  return stored.words.startsWith(`${texts},`) && stored.url === (url === null ? null : toJsonBytes(url));
}
