import Value from 'typebox/value';
import { readWebAddress } from '../../../packages/server/src/base/web-address.ts';
import { MAX_EVENT, readEvent } from '../../../packages/server/src/platform/relay/event.ts';
import { isFromTheFuture, type RelayEvent } from '../../../packages/server/src/platform/relay/index.ts';
import { authorsOf } from '../../../packages/server/src/relays/authors.ts';
import { RelayConfig } from '../../../packages/server/src/relays/config.ts';
import { readSaid } from '../../../packages/server/src/relays/events/read-event.ts';
import type { Said } from '../../../packages/server/src/relays/events/said.ts';
import { Intake } from '../../../packages/server/src/relays/intake.ts';
import { streamsOf } from '../../../packages/server/src/relays/streams.ts';
import { openStore } from '../../../packages/server/src/service/store.ts';
import { drawJson } from '../change-json.ts';
import { changeText } from '../change-text.ts';
import { changeOften, few, pick, type Random, upTo } from '../draw.ts';
import { type Checker, Fault, mustBePlain, type Setup } from '../target.ts';

/** Seconds since the Unix epoch. */
const NOW = 1_790_000_000;
/** One in this number of events is also written to a catalogue. Writing takes a hundred times as long as reading. */
const STORED = 128;
/** Quotas that no run uses up. */
const QUOTAS = { author: 1e9, relay: 1e9 };
const RELAY = 'wss://relay.example';

const AUTHOR = 'c'.repeat(64);
const TARGET = 'e'.repeat(64);
const SIGNATURE = 'f'.repeat(128);
const URL = 'https://media.example/happy-dance.gif';
const HASH = 'a'.repeat(64);

type Draft = Pick<RelayEvent, 'kind' | 'content' | 'tags'>;

const FILE = [
  ['url', URL],
  ['m', 'image/gif'],
  ['x', HASH],
  ['ox', 'b'.repeat(64)],
  ['dim', '480x270'],
  ['title', 'happy dance'],
  ['summary', 'party #fun'],
  ['alt', 'A cat dances'],
  ['fallback', 'https://mirror.example/1.gif'],
  ['t', '#Cats'],
  ['l', 'en', 'ISO-639-1'],
  ['content-warning', 'nudity'],
];
const ZAP_REQUEST = {
  ...{ id: '1'.repeat(64), pubkey: 'd'.repeat(64), sig: SIGNATURE, kind: 9734, created_at: NOW - 60, content: '' },
  tags: [
    ['e', TARGET],
    ['amount', '21000'],
  ],
};
const DRAFTS: readonly Draft[] = [
  { kind: 1063, content: 'a happy cat', tags: FILE },
  {
    kind: 1,
    content: `look ${URL} and (https://other.example/sad%20dog.gif), nostr:npub1x #nsfw`,
    tags: [
      ['imeta', `url ${URL}`, 'm image/gif', `x ${HASH}`, 'alt a cat', 'fallback https://mirror.example/1.gif'],
      ['t', 'cat'],
    ],
  },
  { kind: 20, content: 'pictures', tags: [['title', 'my cat'], ['imeta', `url ${URL}`, 'm image/webp'], ...FILE] },
  { kind: 1090, content: '', tags: [['imeta', `url ${URL}`, 'm image/gif', 'title a clip']] },
  {
    kind: 1111,
    content: `${URL} yes`,
    tags: [
      ['imeta', `url ${URL}`, 'm image/gif'],
      ['e', TARGET],
    ],
  },
  {
    kind: 5,
    content: 'sorry',
    tags: [
      ['e', TARGET],
      ['e', HASH],
      ['a', `30030:${AUTHOR}:blobs`],
      ['k', '1063'],
    ],
  },
  {
    kind: 7,
    content: '+',
    tags: [
      ['e', TARGET],
      ['p', AUTHOR],
    ],
  },
  {
    kind: 9735,
    content: '',
    tags: [
      ['e', TARGET],
      ['description', JSON.stringify(ZAP_REQUEST)],
    ],
  },
  {
    kind: 1984,
    content: 'this is illegal',
    tags: [
      ['e', TARGET, 'illegal'],
      ['x', HASH, 'nudity'],
      ['p', AUTHOR],
    ],
  },
  {
    kind: 30_030,
    content: '',
    tags: [
      ['d', 'blobs'],
      ['title', 'Blob Cats'],
      ['t', 'cute'],
      ['emoji', 'blob_dance', URL],
      ['emoji', 'still', 'https://media.example/still.png'],
      ['emoji', 'data', 'data:image/gif;base64,R0lGODlhAQABAAAAACw='],
    ],
  },
  {
    kind: 30_031,
    content: '',
    tags: [
      ['d', 'dogs'],
      ['title', 'Dogs'],
      ['sticker', 's0', URL, HASH, 'image/gif', '512x512', 'A dog laughs', '😂'],
      ['emoji', 's0', URL],
    ],
  },
];

export async function openEvents({ folder }: Setup): Promise<Checker<string>> {
  const config = Value.Default(RelayConfig, { packs: 'on' }) as RelayConfig;
  const everybody = authorsOf(config, []);
  const streams = streamsOf(config, everybody);
  const { db } = await openStore(folder);
  // The verifier accepts all events, because changed events have no valid signatures.
  const verifier = { verify: async (events: readonly RelayEvent[]) => events.map(() => true) };
  const clock = { now: () => NOW * 1_000 };
  const intake = new Intake({ db, verifier, clock, minAuthors: 1, marks: 3, quotas: QUOTAS }, everybody);
  const store = async (event: RelayEvent): Promise<string> => {
    const stream = streams.find(({ filter }) => filter.kinds.includes(event.kind));
    if (stream === undefined) return 'not asked for';
    const key = { relay: RELAY, stream: stream.name, filter: 'all' };
    await intake.take({ key, stream, events: [event], progress: { head: 0, gaps: [], repairedAt: 0 } });
    return 'stored';
  };
  return {
    draw: drawEvent,
    check(text, number) {
      const event = text.length > MAX_EVENT ? 'too_long' : readEvent(parse(text));
      if (typeof event === 'string') return event;
      const said = readSaid(event);
      if (typeof said === 'string') return said;
      checkSaid(said);
      if (isFromTheFuture(event, NOW * 1_000)) return 'from the future';
      return number % STORED === 0 ? store(event) : 'read';
    },
  };
}

/** Draws the JSON of an event. The id is new, because known events are skipped. Most events stay well-formed. */
function drawEvent(random: Random, number: number): string {
  const id = number.toString(16).padStart(64, '0');
  const event = { id, pubkey: AUTHOR, sig: SIGNATURE, created_at: NOW - 100, ...pick(random, DRAFTS) };
  if (random() < 0.2) return drawJson(random, event);
  const content = random() < 0.5 ? event.content : changeOften(random, event.content, changeText);
  return JSON.stringify({ ...event, content, tags: changeOften(random, event.tags, changeTags) });
}

/** Returns tags that differ in one part. */
function changeTags(random: Random, tags: string[][]): string[][] {
  const at = upTo(random, tags.length - 1);
  const tag = tags[at] ?? ['e', TARGET];
  const part = upTo(random, tag.length - 1);
  return pick<() => string[][]>(random, [
    () => tags.toSpliced(at, 1, tag.toSpliced(part, 1, changeText(random, tag[part] ?? ''))),
    () => tags.toSpliced(at, 1, tag.toSpliced(part, 1, changeText(random, tag[part] ?? ''))),
    () => tags.toSpliced(at, 1, tag.toSpliced(part, 1)),
    () => tags.toSpliced(at, 1),
    () => [...tags, ...Array<string[]>(few(random, 60)).fill(tag)],
    () => [...tags, ...pick(random, DRAFTS).tags],
  ])();
}

/** Parses a message like the relay connection. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function checkSaid({ claims, votes, reports }: Said): void {
  for (const { title, alt, tags, urls, hashes } of claims) {
    for (const text of [title, alt, ...tags]) mustBePlain('a text', text);
    for (const url of urls) {
      const read = readWebAddress(url, ['https']);
      if (!('url' in read) || read.url !== url) throw new Fault(`${url} is not canonical`);
    }
    checkHashes(hashes);
  }
  checkHashes(votes.map(({ target }) => target));
  checkHashes(reports.flatMap(({ hashes, events }) => [...hashes, ...events]));
  for (const { weight } of votes) if (!(weight >= 0 && weight <= 3)) throw new Fault(`a vote has the weight ${weight}`);
}

function checkHashes(hashes: readonly string[]): void {
  for (const hash of hashes) if (!/^[0-9a-f]{64}$/.test(hash)) throw new Fault(`${hash} is not a hash`);
}
