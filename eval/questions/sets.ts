import type { SearchMode } from '../../packages/contract/src/index.ts';
import type { Client } from '../support/client.ts';
import { concepts, emojiSame, paraphrase, photos, reactions } from './search-sets.ts';
import type { Split } from './split.ts';
import { adultSearch, adultSimilar, adultSuggest, prefix, typo } from './suggest-sets.ts';

/** What is asked: a search in one mode, or one of the other two operations. */
export type Channel = SearchMode | 'suggest' | 'similar';

/** What one question scored by metric, and whether the meaning leg took part. */
export interface Scored {
  scores: Record<string, number>;
  semantic?: boolean;
}

export interface Question {
  /** What questions have in common that are not independent of each other. */
  group: string;
  /** The lines of the report that this question counts in. */
  parts: readonly string[];
  ask(client: Client, channel: Channel): Promise<Scored>;
}

export interface EvalSet {
  name: string;
  asks: 'search' | 'suggest' | 'similar';
  /** The questions of one half, or nothing when a file is missing. */
  read(folder: string, split: Split): Question[] | undefined;
}

/** In the order of the report. */
export const SETS: readonly EvalSet[] = [
  { name: 'paraphrase', asks: 'search', read: paraphrase },
  { name: 'concepts', asks: 'search', read: concepts },
  { name: 'reactions', asks: 'search', read: reactions },
  { name: 'photos', asks: 'search', read: photos },
  { name: 'emoji_same', asks: 'search', read: emojiSame },
  { name: 'typo', asks: 'suggest', read: typo },
  { name: 'prefix', asks: 'suggest', read: prefix },
  { name: 'adult_search', asks: 'search', read: adultSearch },
  { name: 'adult_suggest', asks: 'suggest', read: adultSuggest },
  { name: 'adult_similar', asks: 'similar', read: adultSimilar },
];

/** The set whose questions can only be answered when the photo captions were taken in too. */
export const FILLER_SET = 'photos';
