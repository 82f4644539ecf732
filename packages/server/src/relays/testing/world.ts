import { createHash } from 'node:crypto';
import { seeded } from '@zoetrope/starter';
import { finalizeEvent } from 'nostr-tools/pure';
import { initNostrWasm } from 'nostr-wasm';
import { writeGif } from '../../media/testing/gif-writer.ts';
import type { RelayEvent } from '../../platform/relay/index.ts';

/* A simulated world of valid and invalid events and files, and the catalogue that should result from it. */

/** The current time in this world, in seconds since the Unix epoch. */
export const NOW = 1_790_000_000;
const DAY = 86_400;
const FILES = 100;
const AUTHORS = 40;

/** The intended content of one event about one file. */
interface Meant {
  file: number;
  author: string;
  createdAt: number;
  eventId: string;
  /** Addresses in their order in the event. */
  urls: string[];
  title: string;
  rank: number;
  tags: string[];
  alt: string;
  lang: string;
  adult: boolean;
  bare: boolean;
}

export interface World {
  events: RelayEvent[];
  /** Bytes by URL. All other URLs return 404. */
  files: ReadonlyMap<string, Uint8Array>;
  /**
   * Returns the expected content of the catalogue, keyed by id, at a time in seconds since the Unix epoch.
   * @param seen the order of arrival, by event id
   */
  expectedAt(now: number, seen: ReadonlyMap<string, number>): Map<string, Shown>;
}

/** The compared fields of a GIF. */
export interface Shown {
  title: string;
  titles: string[];
  tags: string[];
  alt: string;
  lang: string;
  adult: boolean;
  addresses: string[];
  popularity: string;
}

type Template = Pick<RelayEvent, 'kind' | 'content' | 'tags' | 'created_at'>;

export async function makeWorld(count: number): Promise<World> {
  const maker = new Maker(await initNostrWasm());
  while (maker.events.length < count) maker.makeNext();
  return { events: maker.events, files: maker.files, expectedAt: (now, seen) => maker.expectedAt(now, seen) };
}

class Maker {
  readonly events: RelayEvent[] = [];
  readonly files = new Map<string, Uint8Array>();
  readonly #hashes: string[];
  readonly #keys: Uint8Array[];
  readonly #pubkeys: string[];
  readonly #nostr: Awaited<ReturnType<typeof initNostrWasm>>;
  readonly #random = seeded('a world of relays');
  readonly #meant: Meant[] = [];
  readonly #withdrawn = new Set<string>();
  readonly #likes: { target: string; author: string; createdAt: number }[] = [];

  constructor(nostr: Awaited<ReturnType<typeof initNostrWasm>>) {
    this.#nostr = nostr;
    this.#keys = Array.from({ length: AUTHORS }, (_, n) => new Uint8Array(32).fill(n + 1));
    this.#pubkeys = this.#keys.map((key) => Buffer.from(nostr.getPublicKey(key)).toString('hex'));
    this.#hashes = Array.from({ length: FILES }, (_, n) => {
      const pixels = [1, 2, 3].map((pixel) => ({ pixels: ((n >> pixel) & 1) + 1, delay: n + pixel }));
      const bytes = writeGif({ width: 8 + (n % 10), height: 8 + Math.floor(n / 10), frames: pixels });
      for (const url of this.#addresses(n)) this.files.set(url, bytes);
      return createHash('sha256').update(bytes).digest('hex');
    });
  }

  #addresses(n: number): string[] {
    return [`https://files.example/funny_cat-${n}.gif`, `https://mirror.example/${n}.gif`];
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  #sign(template: Template, author: number): RelayEvent {
    const event = { ...template, id: '', pubkey: '', sig: '' };
    this.#nostr.finalizeEvent(event, this.#keys[author]!);
    return event;
  }

  makeNext(): void {
    const kinds: [number, () => void][] = [
      [38, () => this.#file()],
      [5, () => this.#fileOfOriginalHash()],
      [6, () => this.#fileWithDeadAddress()],
      [5, () => this.#wrongHash()],
      [6, () => this.#unreachable()],
      [6, () => this.#forged()],
      [3, () => this.#fromTheFuture()],
      [1, () => this.#tooManyTags()],
      [12, () => this.#noteWithMeta()],
      [8, () => this.#bareAddress()],
      [5, () => this.#deletion()],
      [5, () => this.#like()],
    ];
    if (this.events.length % 300 === 150) this.#tooLong();
    let chosen = this.#below(100);
    const [, make] = kinds.find(([weight]) => {
      chosen -= weight;
      return chosen < 0;
    })!;
    make();
  }

  /** Returns an event about a file at one of the file's URLs, which is the usual case. */
  #file(urls?: string[], hashes?: (hash: string) => string[][]): Meant {
    const file = this.#below(FILES);
    const told = urls ?? [this.#addresses(file)[this.#below(2)]!];
    return this.#tell(file, told, hashes ?? ((hash) => [['x', hash]]));
  }

  #tell(file: number, urls: string[], hashes: (hash: string) => string[][]): Meant {
    const author = this.#below(AUTHORS);
    const n = this.events.length;
    const isNamed = this.#below(4) > 0;
    const adult = this.#below(60) === 0;
    const alt = this.#below(3) === 0 ? `alt of ${n}` : '';
    const lang = this.#below(3) === 0 ? ['en', 'de', 'ja'][this.#below(3)]! : '';
    const tags = Array.from({ length: this.#below(3) }, () => `tag${this.#below(20)}`);
    const event = this.#sign(
      {
        kind: 1063,
        created_at: NOW - this.#below(20 * DAY),
        content: isNamed ? `cat  number ${n} https://example.com/` : '',
        tags: [
          ['url', urls[0]!],
          ['m', 'image/gif'],
          ...hashes(this.#hashes[file]!),
          ...urls.slice(1).map((url) => ['fallback', url]),
          ...tags.map((tag) => ['t', tag.toUpperCase()]),
          ...(alt ? [['alt', alt]] : []),
          ...(lang
            ? [
                ['L', 'ISO-639-1'],
                ['l', lang, 'ISO-639-1'],
              ]
            : []),
          ...(adult ? [['content-warning', 'bare skin']] : []),
        ],
      },
      author,
    );
    const said = isNamed ? `cat number ${n}` : alt;
    const name = urls[0]!.includes('funny') ? `funny cat ${file}` : '';
    const words = said ? { title: said, rank: 0 } : { title: name, rank: 2 };
    const meant = { file, ...whoOf(event), urls, ...words, tags, alt, lang, adult, bare: false };
    this.events.push(event);
    this.#meant.push(meant);
    return meant;
  }

  /** Adds an event with the hash of the file before its conversion. Hosts that convert files claim this hash. */
  #fileOfOriginalHash(): void {
    this.#file(undefined, (hash) => [
      ['x', hashOf(`converted ${hash}`)],
      ['ox', hash],
    ]);
  }

  #fileWithDeadAddress(): void {
    const n = this.events.length;
    const file = this.#below(FILES);
    this.#tell(file, [`https://files.example/gone/${n}.gif`, this.#addresses(file)[0]!], (hash) => [['x', hash]]);
  }

  /** Events that must be ignored. */
  #bad(make: () => void): RelayEvent {
    make();
    this.#meant.pop();
    return this.events.at(-1)!;
  }

  #wrongHash(): void {
    const n = this.events.length;
    this.#bad(() => this.#file(undefined, () => [['x', hashOf(`other ${n}`)]]));
  }

  #unreachable(): void {
    const n = this.events.length;
    const urls = [
      'https://10.0.0.5/a.gif',
      'https://[::1]/a.gif',
      'https://intranet.example/a.gif',
      `https://files.example/gone/${n}.gif`,
      `http://files.example/funny_cat-${n % FILES}.gif`,
    ];
    this.#bad(() => this.#file([urls[n % urls.length]!]));
  }

  #forged(): void {
    const event = this.#bad(() => this.#file());
    if (this.events.length % 2 === 0) event.content = `${event.content} buy my coin`;
    else event.sig = event.sig.replace(/^./, (digit) => (digit === '0' ? '1' : '0'));
  }

  #fromTheFuture(): void {
    const { id: _, ...event } = this.#bad(() => this.#file());
    this.events.splice(-1, 1, this.#sign({ ...event, created_at: NOW + 2 * DAY + this.#below(DAY) }, 0));
  }

  #tooManyTags(): void {
    const { id: _, ...event } = this.#bad(() => this.#file());
    const tags = [...event.tags, ...Array.from({ length: 120 }, (_, n) => ['t', `t${n}`])];
    this.events.splice(-1, 1, this.#sign({ ...event, tags }, 0));
  }

  /**
   * Adds an event of half a megabyte. nostr-tools signs it, because nostr-wasm rejects events of that length.
   */
  #tooLong(): void {
    const { kind, tags, created_at } = this.#bad(() => this.#file());
    const template = { kind, tags, created_at, content: 'long '.repeat(100_000) };
    this.events.splice(-1, 1, finalizeEvent(template, this.#keys[0]!));
  }

  #noteWithMeta(): void {
    const file = this.#below(FILES);
    const kind = [1, 20, 1111][this.#below(3)]!;
    const n = this.events.length;
    const url = this.#addresses(file)[0]!;
    const event = this.#sign(
      {
        kind,
        created_at: NOW - this.#below(20 * DAY),
        content: kind === 20 ? `look ${n}` : `look ${n} ${url}`,
        tags: [
          ['imeta', `url ${url}`, 'm image/gif', `x ${this.#hashes[file]}`, 'dim 8x8'],
          ['t', 'note'],
        ],
      },
      this.#below(AUTHORS),
    );
    const words = { title: `look ${n}`, rank: 1, tags: ['note'], alt: '', lang: '' };
    this.events.push(event);
    this.#meant.push({ file, ...whoOf(event), urls: [url], ...words, adult: false, bare: false });
  }

  /**
   * Adds a note that contains only the bare URL of a file. The number of people who post a file is different for each
   * file.
   */
  #bareAddress(): void {
    const n = this.events.length;
    const file = this.#below(12);
    const url = `https://files.example/bare/${file}.gif`;
    this.files.set(url, writeGif({ width: 40 + file, height: 9, frames: [{ pixels: 1 }, { pixels: 2 }] }));
    const created_at = NOW - this.#below(20 * DAY);
    const event = this.#sign(
      { kind: 1, created_at, content: `ha ${n} ${url}`, tags: [] },
      this.#below(1 + (file >> 1)),
    );
    const words = { title: `ha ${n}`, rank: 1, tags: [], alt: '', lang: '' };
    this.events.push(event);
    this.#meant.push({ file: FILES + file, ...whoOf(event), urls: [url], ...words, adult: false, bare: true });
  }

  /** Adds a deletion. Half of the deletions are for other people's events, and many arrive before the event itself. */
  #deletion(): void {
    const target = this.#someMeant();
    const own = this.#pubkeys.indexOf(target.author);
    const isOwn = this.#below(2) === 0;
    const author = isOwn ? own : (own + 1) % AUTHORS;
    const created_at = NOW - this.#below(20 * DAY);
    const event = this.#sign({ kind: 5, created_at, content: '', tags: [['e', target.eventId]] }, author);
    if (isOwn) this.#withdrawn.add(target.eventId);
    this.events.splice(this.#below(this.events.length), 0, event);
  }

  #like(): void {
    const target = this.#someMeant();
    const content = ['+', '', '🔥', '-'][this.#below(4)]!;
    const created_at = target.createdAt + this.#below(NOW - target.createdAt);
    const event = this.#sign({ kind: 7, created_at, content, tags: [['e', target.eventId]] }, this.#below(AUTHORS));
    this.events.push(event);
    if (content !== '-') this.#likes.push({ target: target.eventId, author: event.pubkey, createdAt: created_at });
  }

  #someMeant(): Meant {
    if (this.#meant.length === 0) this.#noteWithMeta();
    return this.#meant[this.#below(this.#meant.length)]!;
  }

  /** Returns the expected catalogue, computed from the intended content instead of the events. */
  expectedAt(now: number, seen: ReadonlyMap<string, number>): Map<string, Shown> {
    const shown = new Map<string, Shown>();
    const placeOf = ({ eventId }: Meant) => seen.get(eventId) ?? Number.MAX_SAFE_INTEGER;
    const ordered = this.#meant.toSorted((a, b) => placeOf(a) - placeOf(b));
    for (const all of Map.groupBy(ordered, ({ file }) => file).values()) {
      const live = all.filter(({ eventId }) => !this.#withdrawn.has(eventId));
      const people = new Set(live.map(({ author }) => author)).size;
      if (live.length === 0 || (live[0]!.bare && people < 3)) continue;
      shown.set(`${this.#hashOfFile(all[0]!)}.gif`, this.#shownOf(all, live, now));
    }
    return shown;
  }

  #hashOfFile({ file, urls }: Meant): string {
    return this.#hashes[file] ?? createHash('sha256').update(this.files.get(urls[0]!)!).digest('hex');
  }

  #shownOf(all: readonly Meant[], live: readonly Meant[], now: number): Shown {
    const titled = [0, 1, 2].flatMap((rank) => live.filter((each) => each.rank === rank && each.title));
    const titles = [...new Set(titled.map(({ title }) => title))];
    const voices = new Map<string, number>();
    const raise = (who: string, at: number) => voices.set(`${who} ${Math.floor(at / DAY)}`, Math.floor(at / DAY));
    for (const { author, createdAt } of live) raise(author, createdAt);
    const told = new Set(live.map(({ eventId }) => eventId));
    for (const like of this.#likes) if (told.has(like.target)) raise(`like ${like.author}`, like.createdAt);
    const sum = [...voices.values()].reduce((total, day) => total + 0.5 ** ((Math.floor(now / DAY) - day) / 30), 0);
    return {
      title: titles[0] ?? '',
      titles: titles.slice(1, 10),
      tags: [...new Set(live.flatMap(({ tags }) => tags))],
      alt: live.find(({ alt }) => alt)?.alt ?? '',
      lang: titled[0]?.lang || (live.find(({ lang }) => lang)?.lang ?? ''),
      // No author is listed here, so only marks made by the first authors count.
      adult: all.some(({ adult, author }) => adult && [all[0]!.author, live[0]!.author].includes(author)),
      addresses: [...new Set(live.flatMap(({ urls }) => urls))].filter((url) => this.files.has(url)).toSorted(),
      popularity: Math.min(Math.log(31), Math.log(1 + sum)).toFixed(9),
    };
  }
}

function whoOf({ id, pubkey, created_at }: RelayEvent) {
  return { eventId: id, author: pubkey, createdAt: created_at };
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
