import { type GifRecord, mergeRecords } from '../records/index.ts';
import type { AddressTable, StoredClaim } from './claims.ts';
import { isMarked, type MarkOptions } from './marks.ts';

/*
 * Turns claims into a record. If claims differ, the claim that arrived first decides, because authors choose their own
 * timestamps. Facts from the operator override all claims.
 */

const MAX_TAGS = 50;
const MAX_ADDRESSES = 20;
/**
 * Maximum number of additional titles. Additional titles are used only for searching, and titles above this number
 * rarely add new words.
 */
const MAX_TITLES = 10;

const DAY = 86_400;
const HALF_LIFE = 30 * DAY;
/**
 * Maximum popularity: that of a GIF which thirty people posted or liked today. The maximum is needed because one person
 * can have many keys.
 */
const MAX_POPULARITY = Math.log(1 + 30);

/** A like or zap of an event. */
export interface Vote {
  target: string;
  author: string;
  createdAt: number;
  weight: number;
}

export interface ClaimedGif {
  sha256: string;
  /** The address that was shown before, or null if no address was shown. */
  shown: string | null;
  /** All claims that lead to this GIF. */
  claims: readonly StoredClaim[];
  /** The results of checking their addresses, by address. */
  addresses: ReadonlyMap<string, AddressTable>;
  votes: readonly Vote[];
}

export interface DeriveOptions {
  /** Minimum number of authors who must have posted a bare address. With 0, bare addresses never count. */
  minAuthors: number;
  /** Seconds since the Unix epoch. */
  now: number;
  marks: MarkOptions;
}

/** Derives a GIF's record from its claims. Returns undefined if no claim counts. */
export function deriveRecord(gif: ClaimedGif, options: DeriveOptions): GifRecord | undefined {
  const live = liveClaims(gif, options.minAuthors).toSorted(bySeq);
  const home = live[0] && homeOf(gif, live);
  if (home === undefined) return undefined;
  const titled = live.filter(({ title }) => title !== '').toSorted((a, b) => a.titleRank - b.titleRank || bySeq(a, b));
  const titles = unique(titled.map(({ title }) => title)).slice(0, MAX_TITLES);
  const shown = home.kept === 1 ? null : home.url;
  const isAlive = (url: string) => url !== shown && gif.addresses.get(url)?.state !== 'refused';
  return {
    id: `${gif.sha256}.gif`,
    sha256: gif.sha256,
    verified: 'file',
    url: shown,
    format: home.format!,
    width: home.width!,
    height: home.height!,
    frames: home.frames,
    durationMs: home.durationMs,
    bytes: home.bytes,
    lqip: home.lqip,
    transparent: home.transparent === 1 || undefined,
    blankStill: home.blankStill === 1 || undefined,
    title: titles[0] ?? '',
    tags: unique(live.flatMap(({ tags }) => tags)).slice(0, MAX_TAGS),
    characters: [],
    series: [],
    text: titles.slice(1).join('\n'),
    alt: live.find(({ alt }) => alt !== '')?.alt ?? '',
    lang: titled[0]?.lang || (live.find(({ lang }) => lang !== '')?.lang ?? ''),
    adult: isMarked(gif.claims, options.marks),
    popularity: popularityOf(gif, live, options.now),
    source: 'nostr',
    fallback: unique(live.flatMap(({ urls }) => urls))
      .filter(isAlive)
      .slice(0, MAX_ADDRESSES),
    toldBy: `nostr:${live[0]!.eventId}`,
  };
}

/**
 * Joins the operator's record of a GIF and the record from its claims. Claims add texts, URLs and missing values, but
 * override nothing. They do not decide whether the GIF is shown (see marks.ts).
 */
export function joinClaims(others: GifRecord, claimed: GifRecord): GifRecord {
  const { toldBy, source, adult, url } = others;
  const { title, ...words } = mergeRecords(others, { ...claimed, toldBy: `${toldBy}\uffff` });
  const lines = [...others.text.split('\n'), claimed.title, ...claimed.text.split('\n')];
  const text = unique(lines.filter((line) => line !== '' && line !== title)).join('\n');
  const fallback = unique([...others.fallback, ...(claimed.url === null ? [] : [claimed.url]), ...claimed.fallback]);
  return {
    ...words,
    ...factsOf(others, claimed),
    ...{ title, text, source, toldBy, adult, url },
    fallback: fallback.filter((address) => address !== url),
  };
}

function factsOf(others: GifRecord, claimed: GifRecord) {
  const { sha256, format, width, height } = others;
  return {
    ...{ sha256, format, width, height },
    frames: others.frames ?? claimed.frames,
    durationMs: others.durationMs ?? claimed.durationMs,
    bytes: others.bytes ?? claimed.bytes,
    lqip: others.lqip ?? claimed.lqip,
    transparent: others.transparent ?? claimed.transparent,
    blankStill: others.blankStill ?? claimed.blankStill,
  };
}

function liveClaims({ claims }: ClaimedGif, minAuthors: number): StoredClaim[] {
  const live = claims.filter(({ withdrawn }) => !withdrawn);
  const bare = Map.groupBy(
    live.filter((claim) => claim.bare),
    ({ urls }) => urls[0]!,
  );
  const isWanted = (claim: StoredClaim) => {
    if (!claim.bare) return true;
    const authors = new Set(bare.get(claim.urls[0]!)!.map(({ author }) => author));
    return minAuthors > 0 && authors.size >= minAuthors;
  };
  return live.filter(isWanted);
}

/**
 * Returns the address to show. Prefers an address whose bytes are stored here, then the address that was shown before,
 * then the first address that has the bytes.
 */
function homeOf({ sha256, addresses, shown }: ClaimedGif, live: readonly StoredClaim[]): AddressTable | undefined {
  const found = live.flatMap(({ urls }) => urls.flatMap((url) => addresses.get(url) ?? []));
  const those = found.filter((address) => address.state === 'there' && address.sha256 === sha256);
  return those.find(({ kept }) => kept === 1) ?? those.find(({ url }) => url === shown) ?? those[0];
}

/**
 * Returns a GIF's popularity from public events. For each author, each day on which the author posted the GIF counts
 * one point. Votes count, too. The value of points and votes halves every 30 days.
 */
function popularityOf({ votes }: ClaimedGif, live: readonly StoredClaim[], now: number): number {
  const voices = new Map<string, { weight: number; createdAt: number }>();
  const targets = new Set(live.map(({ eventId }) => eventId));
  const raise = (kind: string, { author, createdAt, weight }: Omit<Vote, 'target'>) => {
    const day = Math.floor(createdAt / DAY);
    const key = `${kind} ${author} ${day}`;
    if ((voices.get(key)?.weight ?? 0) < weight) voices.set(key, { weight, createdAt: day * DAY });
  };
  for (const { author, createdAt } of live) raise('posted', { author, createdAt, weight: 1 });
  for (const vote of votes) if (targets.has(vote.target)) raise('liked', vote);
  const today = Math.floor(now / DAY) * DAY;
  // The parts are sorted, because the rounding error of their sum depends on their order.
  const parts = [...voices.values()].map(({ weight, createdAt }) => {
    return weight * 2 ** (-Math.max(0, today - createdAt) / HALF_LIFE);
  });
  const sum = parts.toSorted((a, b) => a - b).reduce((total, part) => total + part, 0);
  return Math.min(MAX_POPULARITY, Math.log(1 + sum));
}

function bySeq(a: StoredClaim, b: StoredClaim): number {
  return a.seq - b.seq;
}

function unique(list: readonly string[]): string[] {
  return [...new Set(list)];
}
