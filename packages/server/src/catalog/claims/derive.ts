import { type GifRecord, mergeRecords } from '../record.ts';
import type { AddressTable, KeptClaim } from './claims.ts';
import { isMarked, type MarkOptions } from './marks.ts';

/*
 * The rule by which claims become a record. Where they differ, the claim that we saw first decides: what authors say of the
 * time is theirs to choose. What the operator gave stands before all claims.
 */

const MAX_TAGS = 50;
const MAX_ADDRESSES = 20;
/** Further titles are words to be found by; more than these say nothing new. */
const MAX_TITLES = 10;

const DAY = 86_400;
const HALF_LIFE = 30 * DAY;
/** Thirty people who post or like a GIF this month; more do not lift it further, as they may be one. */
const MAX_POPULARITY = Math.log(1 + 30);

/** What somebody gave to an event. */
export interface Vote {
  target: string;
  author: string;
  createdAt: number;
  weight: number;
}

export interface ClaimedGif {
  sha256: string;
  /** The address of its claims that was shown until now; null where there was none. */
  shown: string | null;
  /** All that lead to it. */
  claims: readonly KeptClaim[];
  /** What was found behind their addresses, by address. */
  addresses: ReadonlyMap<string, AddressTable>;
  votes: readonly Vote[];
}

export interface DeriveOptions {
  /** How many authors must have posted a bare address; 0: bare addresses count for nothing. */
  minAuthors: number;
  /** Seconds since the Unix epoch. */
  now: number;
  marks: MarkOptions;
}

/** The record of a GIF as its claims tell it; undefined when none of them counts any more. */
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
 * What the operator gave of a GIF and what its claims say, as one record: claims add words, addresses and what nobody else
 * knew, and change nothing. Whether it is fit to be shown is not theirs to say, see marks.ts.
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
  };
}

function liveClaims({ claims }: ClaimedGif, minAuthors: number): KeptClaim[] {
  const live = claims.filter(({ withdrawn }) => !withdrawn);
  const bare = Map.groupBy(
    live.filter((claim) => claim.bare),
    ({ urls }) => urls[0]!,
  );
  const isWanted = (claim: KeptClaim) => {
    if (!claim.bare) return true;
    const authors = new Set(bare.get(claim.urls[0]!)!.map(({ author }) => author));
    return minAuthors > 0 && authors.size >= minAuthors;
  };
  return live.filter(isWanted);
}

/** The address that is shown: the one that was shown before as long as it has the bytes, else the first that was told of. */
function homeOf({ sha256, addresses, shown }: ClaimedGif, live: readonly KeptClaim[]): AddressTable | undefined {
  const found = live.flatMap(({ urls }) => urls.flatMap((url) => addresses.get(url) ?? []));
  const those = found.filter((address) => address.state === 'there' && address.sha256 === sha256);
  return those.find(({ kept }) => kept === 1) ?? those.find(({ url }) => url === shown) ?? those[0];
}

/**
 * How much people have to do with a GIF, by what is public: one voice for each author and day that it was posted, one for
 * each that liked it, half as loud every 30 days.
 */
function popularityOf({ votes }: ClaimedGif, live: readonly KeptClaim[], now: number): number {
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
  // In one order: sums of fractions depend on it.
  const parts = [...voices.values()].map(({ weight, createdAt }) => {
    return weight * 2 ** (-Math.max(0, today - createdAt) / HALF_LIFE);
  });
  const sum = parts.toSorted((a, b) => a - b).reduce((total, part) => total + part, 0);
  return Math.min(MAX_POPULARITY, Math.log(1 + sum));
}

function bySeq(a: KeptClaim, b: KeptClaim): number {
  return a.seq - b.seq;
}

function unique(list: readonly string[]): string[] {
  return [...new Set(list)];
}
