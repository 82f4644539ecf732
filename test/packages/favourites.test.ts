import { nip44 } from 'nostr-tools';
import type { Filter } from 'nostr-tools/filter';
import { finalizeEvent, generateSecretKey, getPublicKey, type NostrEvent } from 'nostr-tools/pure';
import { Relay } from 'nostr-tools/relay';
import { expect, it } from 'vitest';
import {
  type EncryptingSigner,
  type Favourite,
  favouritesFilter,
  fromFavouritesEvents,
  mergeFavourites,
  type SyncedFavourites,
  toFavouritesEvent,
} from '../../packages/client/src/favourites.ts';
import { FilledRelay } from '../../packages/server/src/platform/relay/testing/relay.ts';

const secret = generateSecretKey();

/** The user's signer, like an extension of a browser. */
const signer: EncryptingSigner = {
  getPublicKey: async () => getPublicKey(secret),
  signEvent: async (event) => finalizeEvent(event, secret),
  nip44: {
    encrypt: async (pubkey, text) => nip44.encrypt(text, nip44.getConversationKey(secret, pubkey)),
    decrypt: async (pubkey, text) => nip44.decrypt(text, nip44.getConversationKey(secret, pubkey)),
  },
};

function gif(id: string): Favourite {
  const url = `https://gifs.example/${id}.gif`;
  const preview = { width: 9, height: 9, animated: url, still: url };
  return {
    ...{ id, url, sha256: null, format: 'gif', width: 9, height: 9, title: `title of ${id}`, verified: true, tags: [] },
    ...{ frames: 2, duration: 1, bytes: 9, lqip: null, transparent: null, blankStill: null, mp4: null },
    ...{ previewMp4: null, previews: { small: preview, medium: preview, w240: preview, w480: preview } },
  };
}

/** A device of the user, with its favourites and its last sync. */
interface Device {
  favourites: Favourite[];
  last?: SyncedFavourites;
}

async function sync(device: Device, relay: Relay): Promise<void> {
  const events = await ask(relay, favouritesFilter(await signer.getPublicKey()));
  const theirs = await fromFavouritesEvents(events, signer);
  device.favourites = mergeFavourites(device.favourites, theirs, device.last);
  const event = await toFavouritesEvent(device.favourites, signer, { after: theirs });
  await relay.publish(event);
  device.last = { at: event.created_at, favourites: device.favourites };
}

function ask(relay: Relay, filter: Filter): Promise<NostrEvent[]> {
  const { promise, resolve } = Promise.withResolvers<NostrEvent[]>();
  const events: NostrEvent[] = [];
  const subscription = relay.subscribe([filter], {
    onevent: (event) => void events.push(event),
    oneose: () => {
      resolve(events);
      subscription.close();
    },
    // Otherwise, the library reports the end after 4.4 seconds, even if events are missing.
    eoseTimeout: 480_000,
  });
  return promise;
}

it('two devices have the same favourites, and the relay cannot read them', async () => {
  const filled = await FilledRelay.start();
  const relay = await Relay.connect(filled.url);
  const [phone, laptop]: [Device, Device] = [{ favourites: [gif('cat')] }, { favourites: [gif('dog')] }];
  const ids = ({ favourites }: Device) => favourites.map(({ id }) => id).toSorted();
  try {
    for (const device of [phone, laptop, phone]) await sync(device, relay);
    expect([ids(phone), ids(laptop)]).toEqual([
      ['cat', 'dog'],
      ['cat', 'dog'],
    ]);
    laptop.favourites = [{ ...laptop.favourites.find(({ id }) => id === 'dog')!, alt: 'my dog' }];
    for (const device of [laptop, phone]) await sync(device, relay);
    expect(phone.favourites.map(({ id, alt }) => [id, alt])).toEqual([['dog', 'my dog']]);
    const stored = await ask(relay, {});
    expect(stored).toHaveLength(5);
    expect(JSON.stringify(stored)).not.toMatch(/cat|dog|gifs\.example/);
  } finally {
    relay.close();
    await filled.down();
  }
});
