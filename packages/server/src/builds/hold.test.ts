import { expect, it, test } from 'vitest';
import { revision } from '../records/index.ts';
import { onEachDatabase } from '../service/testing/databases.ts';
import { currentHold, endHold, type Hold, holdBuild, isRolledBack, mayServe, readHold } from './hold.ts';

onEachDatabase((opened) => {
  it('all machines notice when a build is held, when another build is held, and when the hold ends', async () => {
    const { db } = opened;
    const seen = [await revision(db)];
    await holdBuild(db, 'b1', 5);
    seen.push(await revision(db));
    await holdBuild(db, 'b2', 6);
    seen.push(await revision(db));
    expect(await currentHold(db)).toEqual({ build: 'b2', at: 6, until: null });
    expect(await endHold(db)).toBe('b2');
    seen.push(await revision(db));
    expect(await currentHold(db)).toBeUndefined();
    expect(await readHold(db)).toEqual({ build: 'b2', at: 6, until: seen.at(-1) });
    expect(await endHold(db)).toBeUndefined();
    expect([...seen, await revision(db)]).toEqual([0, 1, 2, 3, 3].map((n) => seen[0]! + n));
  });
});

const held: Hold = { build: 'b1', at: 0, until: null };
const ended: Hold = { ...held, until: 7 };

test.each<[string, Hold | undefined, { build: string; revision: number }, [isServed: boolean, isCompared: boolean]]>([
  ['any build without a hold', undefined, { build: 'b2', revision: 1 }, [true, false]],
  ['the held build', held, { build: 'b1', revision: 3 }, [true, true]],
  ['another build during the hold', held, { build: 'b2', revision: 9 }, [false, false]],
  ['the build that was held', ended, { build: 'b1', revision: 6 }, [true, true]],
  ['its content from after the hold', ended, { build: 'b1', revision: 7 }, [true, false]],
  ['a build from before the end of the hold', ended, { build: 'b2', revision: 6 }, [false, false]],
  ['a build from after the hold', ended, { build: 'b2', revision: 7 }, [true, false]],
])('whether %s is served, and compared with the catalogue', (_, hold, published, expected) => {
  expect([mayServe(hold, published), isRolledBack(hold, published)]).toEqual(expected);
});
