import { expect, it } from 'vitest';
import { freeze, inTransaction, isFrozen, thaw } from '../platform/db/index.ts';
import { bumpShown, revision } from '../records/index.ts';
import { onEachDatabase } from './testing/databases.ts';

const TABLES = ['catalog_state', 'gifs', 'jobs'];
const REFUSED = 'the catalogue has moved';

onEachDatabase((opened) => {
  it('a frozen database can be read but not changed until it is thawed', async () => {
    const { db } = opened;
    await bumpShown(db);
    const before = await revision(db);
    await inTransaction(db, (trx) => freeze(trx, TABLES));
    expect(await isFrozen(db)).toBe(true);
    await expect(bumpShown(db)).rejects.toThrow(REFUSED);
    await expect(db.deleteFrom('catalogState' as never).execute()).rejects.toThrow(REFUSED);
    expect(await revision(db)).toBe(before);
    await inTransaction(db, (trx) => freeze(trx, TABLES));
    await inTransaction(db, thaw);
    expect(await isFrozen(db)).toBe(false);
    await bumpShown(db);
    expect(await revision(db)).toBeGreaterThan(before);
  });

  it('a freeze whose transaction fails has no effect', async () => {
    const { db } = opened;
    const stopped = inTransaction(db, async (trx) => {
      await freeze(trx, TABLES);
      throw new Error('stopped');
    });
    await expect(stopped).rejects.toThrow('stopped');
    expect(await isFrozen(db)).toBe(false);
    await bumpShown(db);
  });
});
