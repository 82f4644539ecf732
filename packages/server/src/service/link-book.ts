import type { Clock } from '../base/clock.ts';
import { authorsOfGif, findLink, noteLink } from '../catalog/index.ts';
import type { LinkBook } from '../media/index.ts';
import type { Database } from '../platform/db/index.ts';
import { serversOf } from '../platform/relay/index.ts';

/** Maximum number of authors of a GIF whose Blossom servers are asked for a file. */
const AUTHORS = 3;

/** Connects the media room to the catalogue's data about linked GIFs. */
export function linkBook(db: Database, clock: Clock): LinkBook {
  return {
    async find(id) {
      const link = await findLink(db, id);
      if (link === undefined) return undefined;
      const { addresses, kept, failures, gif } = link;
      const isTrusted = addresses[0] === gif.url && gif.source !== 'nostr';
      const isSound = failures === 0;
      const ownServers = async () =>
        gif.sha256 === null ? [] : serversOf(db, await authorsOfGif(db, gif.sha256, AUTHORS));
      return { addresses, kept, isSound, listed: gif.url, isTrusted, ownServers };
    },
    note: (id, news) => noteLink(db, id, news, clock.now()),
  };
}
