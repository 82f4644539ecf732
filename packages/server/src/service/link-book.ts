import type { Clock } from '../base/clock.ts';
import { findLink, noteLink } from '../catalog/index.ts';
import type { LinkBook } from '../media/index.ts';
import type { Database } from '../platform/db/index.ts';

/** Connects the media room to the catalogue's data about linked GIFs. */
export function linkBook(db: Database, clock: Clock): LinkBook {
  return {
    async find(id) {
      const link = await findLink(db, id);
      if (link === undefined) return undefined;
      const { addresses, kept, failures, gif } = link;
      const isTrusted = addresses[0] === gif.url && gif.source !== 'nostr';
      return { addresses, kept, isSound: failures === 0, listed: gif.url, isTrusted };
    },
    note: (id, news) => noteLink(db, id, news, clock.now()),
  };
}
