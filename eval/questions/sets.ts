import { everyday, moreLanguages, sentences, synonyms } from './everyday.ts';
import { logged } from './logged.ts';
import type { EvalSet } from './question.ts';
import { concepts, emojiSame, paraphrase, photos, reactions } from './search-sets.ts';
import { adultSearch, adultSimilar, adultSuggest, prefix, typo } from './suggest-sets.ts';
import { halfTyped, slips } from './typed.ts';

/** All sets, in the order of the report. */
export const SETS: readonly EvalSet[] = [
  { name: 'paraphrase', asks: 'search', read: paraphrase },
  { name: 'concepts', asks: 'search', read: concepts },
  { name: 'reactions', asks: 'search', read: reactions },
  { name: 'everyday', asks: 'search', read: everyday },
  { name: 'synonyms', asks: 'search', read: synonyms },
  { name: 'more_languages', asks: 'search', read: moreLanguages },
  { name: 'sentences', asks: 'search', read: sentences },
  { name: 'half_typed', asks: 'search', read: halfTyped },
  { name: 'slips', asks: 'search', read: slips },
  { name: 'logged', asks: 'search', read: logged },
  { name: 'photos', asks: 'search', read: photos },
  { name: 'emoji_same', asks: 'search', read: emojiSame },
  { name: 'typo', asks: 'suggest', read: typo },
  { name: 'prefix', asks: 'suggest', read: prefix },
  { name: 'adult_search', asks: 'search', read: adultSearch },
  { name: 'adult_suggest', asks: 'suggest', read: adultSuggest },
  { name: 'adult_similar', asks: 'similar', read: adultSimilar },
];

/** The set whose questions need the photo captions, which must also be ingested. */
export const FILLER_SET = 'photos';
