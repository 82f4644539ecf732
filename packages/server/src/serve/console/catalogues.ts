import type { SharedCatalogues } from '@zoetrope/contract/account';
import type { Console } from '../../account/index.ts';
import { rememberFor } from '../../base/remember.ts';
import type { Service } from '../../service/index.ts';
import { reportFollowed, reportPublished, shownKey } from '../../sharing/index.ts';

/** Time for which the numbers of GIFs are reused, because counting goes through all GIFs of the followed catalogues. */
const COUNT_MS = 60_000;

/** Returns the function that shows the published and the followed catalogues. */
export function createSharedCatalogues({ config, store }: Service): Pick<Console, 'sharedCatalogues'> {
  const followed = rememberFor(COUNT_MS, async () => (await reportFollowed(store.db)).map(toFollowed));
  return {
    async sharedCatalogues() {
      const report = await reportPublished(store.db, store.catalogue);
      const published = report === null ? null : { ...withoutKey(report), key: shownKey(report.pubkey) };
      return { publishing: config.sharing.publish === 'on', published, followed: await followed() };
    },
  };
}

type Followed = SharedCatalogues['followed'][number];

function toFollowed(report: Awaited<ReturnType<typeof reportFollowed>>[number]): Followed {
  const { url, pubkey, generation, gifs, read, known, checkedAt, readAt, error } = report;
  return {
    ...{ url, generation, gifs, known, checkedAt, readAt, error },
    key: pubkey === null ? null : shownKey(pubkey),
    state: stateOf(report),
    taken: read - known,
  };
}

function stateOf({ error, read, gifs, readAt }: Parameters<typeof toFollowed>[0]): Followed['state'] {
  if (error !== null) return 'failed';
  if (read < gifs) return read === 0 ? 'waiting' : 'reading';
  return readAt === 0 ? 'waiting' : 'read';
}

function withoutKey<Report extends { pubkey: string }>({ pubkey: _, ...report }: Report): Omit<Report, 'pubkey'> {
  return report;
}
