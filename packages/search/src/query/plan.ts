import { analyse } from '../analysis/analyse.ts';
import { normaliseQuery } from '../analysis/normalise.ts';
import { OFFENSIVE_TERM, unaskedTerm } from '../analysis/offensive.ts';
import { stem } from '../analysis/stem.ts';
import type { Build } from '../build/build.ts';
import type { PostingRange, Segment } from '../build/segment.ts';
import type { Statistics } from '../build/statistics.ts';
import type { Languages } from '../languages/languages.ts';
import { joinedTerm } from '../postings/joined-words.ts';
import { phraseTerm } from '../postings/phrases.ts';
import type { Suggester } from '../suggest/suggester.ts';
import { COVERAGE_UNIT, MAX_IMPACT } from './candidates.ts';
import { saysLittle } from './names.ts';
import { QueryTerm } from './term.ts';
import { readTermRequests, type TermRequest } from './words.ts';

/**
 * Maximum number of terms. Further terms are ignored. No word is ignored, because the words come first, and a query has
 * at most 100 words.
 */
const MAX_TERMS = 127;

/**
 * Minimum share of the documents for a word of a name that the catalogue does not have. A picture of dancing helps a
 * user who looks for "zendaya dancing", but an impact does not help for "genshin impact".
 */
const FREQUENT_SHARE = 1 / 200;

/**
 * If a smaller share of the GIFs with a word has its plural, the plural counts like the other forms: most GIFs with
 * "hearts" mean a name, such as "Kingdom Hearts". With .1, reactions in other languages found .255 of their GIFs instead
 * of .240, and English sentences .867 instead of .900, which is one of 30. Other sets changed by at most .0025. With .15,
 * "parks" no longer found "Parks and Rec". (`npm run eval`, 2026-11)
 */
const RARE_PLURAL = 1 / 10;

/** The terms that a search looks for. */
export interface Plan {
  /** For each segment, the terms with postings in the segment's safe documents, rarest first. */
  terms: QueryTerm[][];
  /** Number of words that coverage counts, or 0 in a long query. */
  words: number;
  /** Whether any part of the query was translated. */
  translated: boolean;
  /** Whether the query is probably a name or a title of several words. */
  isName: boolean;
  /** Minimum number of words that a document must match, if the query is probably a name. */
  least: number;
  /** Whether the query consists of two words, neither of them a function word or translated. Numbers do not count. */
  isPair: boolean;
}

/** How the words of a query are translated. */
export interface Translation {
  languages: Languages | undefined;
  /** Number of the user's language (`languageOf`). */
  preferred?: number | undefined;
  /** Finds out whether a word is a tag, a character or a series. */
  suggester?: Pick<Suggester, 'isName'> | undefined;
}

export function planQuery(build: Build, query: string, translation: Translation): Plan {
  const { wanted, ...kind } = readQuery(build, query, translation);
  return { terms: planTerms(build, wanted), ...kind };
}

/** Reads a query. If it has an offensive word of the catalogue, it also looks for the terms of offensive documents. */
function readQuery(statistics: Statistics, query: string, { languages, preferred, suggester }: Translation) {
  const { asked, names, others, ...all } = readTermRequests(normaliseQuery(query), languages, preferred);
  const isTag = (term: string) => suggester?.isName(term) === true;
  const isLost = all.wanted.map(({ partOf }) => isPartOfUnknown(partOf, statistics));
  const isAlone = (term: string) => isFrequent(statistics, term) || isTag(term);
  const isElsewhere = ({ series }: TermRequest) => series !== undefined && !hasSeries(statistics, series, isTag);
  const present = names.filter((name) => occurs(statistics, name));
  const isSilent = others.length === 0 && names.length > 0 && sayNothing(names, analyse(query), statistics);
  // Coverage does not count the words of a long query, so one word of a series that the catalogue lacks would be
  // enough.
  const isUnknown = isSilent || (all.words === 0 && all.wanted.some(({ series }) => lacks(statistics, series)));
  const wanted = all.wanted.filter(
    (one, i) => !isUnknown && !isElsewhere(one) && (!isLost[i] || (one.helps === undefined && isAlone(one.term))),
  );
  const isPart = present.length < names.length && others.length > 1;
  // A GIF of "Eureka Seven" is no reason to show every seven.
  const isWhole = names.length + others.length > 1 && [normaliseQuery(query), analyse(query).join(' ')].some(isTag);
  const isName = all.isName || isUnknown || isLost.includes(true) || isPart || isWhole;
  // Many people have a first name: "alice margatroid" is not every Alice.
  const isFirst = others.length === 0 && names.length > 1 && present[0] === names[0] && !isAlone(present[0]!);
  const least = isPart || isWhole || isFirst ? Math.max(all.least, 2) : all.least;
  const isPair = all.isPair && !all.translated;
  const read = { ...all, wanted, isName, least, isPair };
  const isIn = (term: string) => statistics.frequencyOf(term) > 0;
  if (!isIn(OFFENSIVE_TERM) || !asked.some(isIn)) return read;
  const unasked = read.wanted.map((one) => ({ ...one, term: unaskedTerm(one.term) }));
  return { ...read, wanted: [...read.wanted, ...unasked] };
}

/** A query's terms for a search engine that stores the postings elsewhere. */
export interface WeighedQuery extends Omit<Plan, 'terms'> {
  terms: WeighedTerm[];
}

export interface WeighedTerm {
  term: string;
  /** The words of the query that a document with this term matches, as one bit per word. */
  covers: number;
  /** Integer idf. A document's score is the sum of weight × impact. */
  weight: number;
}

/** Returns the terms of a query that at least one safe document has, with their weights, rarest first. */
export function weighQuery(statistics: Statistics, query: string, translation: Translation): WeighedQuery {
  const { wanted, ...kind } = readQuery(statistics, query, translation);
  const found = neededOf(wanted, statistics)
    .slice(0, MAX_TERMS)
    .map((one) => ({ wanted: one, frequency: statistics.frequencyOf(one.term) }))
    .filter(({ frequency }) => frequency > 0)
    .map(({ wanted, frequency }) => ({ wanted, frequency, idf: idfOf(statistics, wanted, frequency) }))
    .sort((a, b) => a.frequency - b.frequency);
  const weights = weightsOf(found);
  const terms = found.map(({ wanted: { term, covers } }, i) => ({ term, covers, weight: weights[i]! }));
  return { terms, ...kind };
}

/**
 * Returns the terms for each segment. The weights come from the frequencies in all segments, so that the scores of
 * different segments can be compared.
 */
function planTerms(build: Build, wantedTerms: readonly TermRequest[]): QueryTerm[][] {
  const found = neededOf(wantedTerms, build)
    .slice(0, MAX_TERMS)
    .flatMap((wanted) => findTerm(build, wanted))
    .sort((a, b) => a.frequency - b.frequency);
  const weights = weightsOf(found);
  return build.segments.map((segment, i) => {
    const own = Array.from(found.keys())
      .filter((term) => found[term]!.ranges[i] !== undefined)
      .sort((a, b) => lengthOf(found[a]!.ranges[i]!) - lengthOf(found[b]!.ranges[i]!));
    return termsOf(segment, i, {
      found: own.map((term) => found[term]!),
      weights: Int32Array.from(own, (term) => weights[term]!),
    });
  });
}

/** Returns the terms of one segment. @param found the terms that the segment has, rarest first */
function termsOf(
  segment: Segment,
  number: number,
  { found, weights }: { found: readonly ResolvedTerm[]; weights: Int32Array },
): QueryTerm[] {
  const terms: QueryTerm[] = [];
  let later = { covers: 0, score: 0 };
  for (let i = found.length - 1; i >= 0; i--) {
    const { wanted, ranges } = found[i]!;
    const weight = weights[i]!;
    terms.push(new QueryTerm(segment, ranges[number]!, { term: wanted.term, covers: wanted.covers, weight, later }));
    later = { covers: later.covers | wanted.covers, score: later.score + MAX_IMPACT * weight };
  }
  return terms.reverse();
}

/**
 * Returns the terms that are needed. A term that only helps other words (`helps`) is not needed if enough documents
 * have one of those words.
 */
function neededOf(wanted: readonly TermRequest[], statistics: Statistics): TermRequest[] {
  return wanted.filter(({ helps, ...one }) => {
    if (isRarePlural(one, statistics)) return false;
    if (helps === undefined) return true;
    const words = helps.words.split(' ');
    const pairs = words.slice(1).map((word, i) => phraseTerm(words[i]!, word));
    const terms = pairs.length > 0 ? pairs : words.map(stem);
    return terms.some((term) => statistics.frequencyOf(term) < helps.below);
  });
}

/** Returns whether a term is only the exact form of a plural that few of the GIFs with its word have. */
function isRarePlural({ term, rarity, covers }: Omit<TermRequest, 'helps'>, statistics: Statistics): boolean {
  if (covers !== 0 || !term.endsWith('s') || stem(term) !== rarity || term === rarity) return false;
  return statistics.frequencyOf(term) < RARE_PLURAL * statistics.frequencyOf(rarity);
}

/** Returns whether the catalogue has none of the names that a word is a part of. */
function isPartOfUnknown(names: TermRequest['partOf'], statistics: Statistics): boolean {
  return names !== undefined && !names.some((name) => occurs(statistics, name));
}

/** Returns whether the names of a query that the catalogue has do not say whose name it is: "nijisanji en". */
function sayNothing(names: readonly string[], words: readonly string[], statistics: Statistics): boolean {
  const [first, ...others] = names.filter((name) => occurs(statistics, name));
  if (first === undefined) return words.length > 1 && !occurs(statistics, words.join(''));
  return names.length > 1 && others.length === 0 && saysLittle(first);
}

/** Returns whether the GIFs with a term alone are worth showing to a user who looks for a name with this word. */
function isFrequent(statistics: Statistics, term: string): boolean {
  return term.length >= 3 && statistics.frequencyOf(term) >= FREQUENT_SHARE * statistics.safeDocuments;
}

/** Returns whether the catalogue has a series, in titles or as a tag. */
function hasSeries(statistics: Statistics, series: readonly string[], isTag: (term: string) => boolean): boolean {
  if (series.length === 1) return occurs(statistics, series[0]!);
  const pairs = series.slice(1).map((word, i) => phraseTerm(series[i]!, word));
  return pairs.every((pair) => statistics.frequencyOf(pair) > 0) || isTag(series.join(' '));
}

/** Returns whether the catalogue has no two neighbouring words of a series of several words. */
function lacks(statistics: Statistics, series: readonly string[] = []): boolean {
  const pairs = series.slice(1).map((word, i) => phraseTerm(series[i]!, word));
  return pairs.length > 0 && pairs.every((pair) => statistics.frequencyOf(pair) === 0);
}

function occurs(statistics: Statistics, word: string): boolean {
  return [word, stem(word), joinedTerm(word)].some((term) => statistics.frequencyOf(term) > 0);
}

interface ResolvedTerm {
  wanted: TermRequest;
  /** The term's postings in each segment. */
  ranges: (PostingRange | undefined)[];
  /** Number of safe documents that have the term. */
  frequency: number;
  /** The term's share of the idf. */
  idf: number;
}

function findTerm(build: Build, wanted: TermRequest): ResolvedTerm[] {
  const ranges = build.segments.map((segment) => segment.postingsOf(wanted.term));
  const frequency = ranges.reduce((sum, range) => sum + (range === undefined ? 0 : lengthOf(range)), 0);
  return frequency === 0 ? [] : [{ wanted, ranges, frequency, idf: idfOf(build, wanted, frequency) }];
}

/** Returns a term's share of the idf. @param frequency of the term itself, at least 1 */
function idfOf(statistics: Statistics, { rarity, ceiling = [], share }: TermRequest, frequency: number): number {
  const own = rarityOf(statistics, rarity) ?? inverseDocumentFrequency(frequency, statistics.safeDocuments);
  const ceilings = ceiling.flatMap((term) => rarityOf(statistics, term) ?? []);
  return share * (ceilings.length === 0 ? own : Math.min(own, Math.max(...ceilings)));
}

function rarityOf(statistics: Statistics, term: string): number | undefined {
  const frequency = statistics.frequencyOf(term);
  return frequency === 0 ? undefined : inverseDocumentFrequency(frequency, statistics.safeDocuments);
}

function lengthOf({ start, end }: PostingRange): number {
  return end - start;
}

/** Returns BM25's idf, in Lucene's form (BM25Similarity), which is never negative. */
function inverseDocumentFrequency(frequency: number, documents: number): number {
  return Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5));
}

/** Returns the integer weight of each term. */
function weightsOf(found: readonly Pick<ResolvedTerm, 'idf'>[]): Int32Array {
  const scale = scaleOf(found);
  return Int32Array.from(found, ({ idf }) => Math.max(1, idf * scale));
}

/**
 * Returns the scale of integer idfs, as fine as 24 bits allow. The score of a document that has every term with the
 * highest impact must stay below 2^24, even if weights below 1 become 1.
 */
function scaleOf(found: readonly Pick<ResolvedTerm, 'idf'>[]): number {
  const sum = found.reduce((total, { idf }) => total + idf, 0);
  return (COVERAGE_UNIT - 1 - MAX_IMPACT * MAX_TERMS) / (MAX_IMPACT * sum);
}
