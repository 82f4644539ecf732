import { beforeEach, expect, it } from 'vitest';
import { hiddenIds, noteLink, recordGifs } from '../catalog/index.ts';
import type { Database } from '../platform/db/index.ts';
import { type GifRecord, setHidden } from '../records/index.ts';
import { onEachDatabase } from '../service/testing/databases.ts';
import { originalsHere, recordsOf, withheldOriginals } from './withheld.ts';

const START = 1_800_000_000_000;
const DAY = 86_400_000;
const HASH = 'a'.repeat(64);
/** A file of the operator, and a linked GIF with the same bytes under another id. */
const OWN = `${HASH}.gif`;
const LINKED = 'linked.gif';

let db: Database;

function gif(id: string, url: string | null): GifRecord {
  const words = { title: 'happy', tags: [], characters: [], series: [], text: '', alt: '', lang: '' };
  const facts = { format: 'gif', width: 9, height: 9, frames: 2, durationMs: 200, bytes: 99, lqip: null } as const;
  const told = { adult: false, popularity: 0, source: '', fallback: [], toldBy: id };
  return { id, sha256: HASH, verified: 'file', url, ...words, ...facts, ...told };
}

async function loseLink(): Promise<void> {
  for (const days of [0, 1, 2]) await noteLink(db, LINKED, { state: 'gone', reason: 'gone' }, START + days * DAY);
}

onEachDatabase((opened) => {
  beforeEach(async () => {
    db = opened.db;
    await recordGifs(db, [gif(LINKED, 'https://one.example/a.gif')]);
  });

  it('an original is withheld if its GIF is hidden, but not if only its link is dead', async () => {
    expect(await withheldOriginals(db)).toEqual(new Set());
    await loseLink();
    expect(await hiddenIds(db)).toEqual([LINKED]);
    expect(await withheldOriginals(db)).toEqual(new Set());
    await setHidden(db, LINKED, true);
    expect(await withheldOriginals(db)).toEqual(new Set([HASH]));
    await noteLink(db, LINKED, { state: 'alive', url: 'https://one.example/a.gif', kept: null }, START + 3 * DAY);
    expect(await withheldOriginals(db)).toEqual(new Set([HASH]));
    await setHidden(db, LINKED, false);
    expect(await withheldOriginals(db)).toEqual(new Set());
  });

  it("an original is not withheld while it is also shown as the operator's own file", async () => {
    await recordGifs(db, [gif(OWN, null)]);
    await setHidden(db, LINKED, true);
    expect(await withheldOriginals(db)).toEqual(new Set());
    await setHidden(db, OWN, true);
    expect(await withheldOriginals(db)).toEqual(new Set([HASH]));
    await setHidden(db, LINKED, false);
    expect(await withheldOriginals(db)).toEqual(new Set([HASH]));
  });

  it('many originals and records are read in several steps, each once', async () => {
    const ids = Array.from({ length: 1_001 }, (_, n) => `${`${n}`.padStart(64, '0')}.gif`);
    await recordGifs(
      db,
      ids.map((id) => ({ ...gif(id, null), sha256: id.slice(0, 64) })),
    );
    await setHidden(db, ids[1]!, true);
    const originals: string[] = [];
    for await (const { id } of originalsHere(db)) originals.push(id);
    expect(originals).toEqual(ids);
    const records = await recordsOf(db, ids);
    expect(records.map(({ id }) => id).toSorted()).toEqual(ids);
  });
});
