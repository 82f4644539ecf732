import Type, { type Static } from 'typebox';
import { Gif } from './gif.ts';
import { LIMITS } from './limits.ts';
import { BuildId, Generation, Limit, Safe, Words } from './query.ts';

export const SearchMode = Type.Union([Type.Literal('auto'), Type.Literal('text'), Type.Literal('semantic')]);
export type SearchMode = Static<typeof SearchMode>;

export const SearchQuery = Type.Object({
  q: Words(
    'Words in any language, emoji, or both. An emoji is searched by its meaning, regardless of skin tone. Punctuation and ' +
      `search syntax are ignored. Only the first ${LIMITS.querySearchedLength} characters are searched`,
  ),
  limit: Limit(
    { minimum: LIMITS.searchLimitMin, maximum: LIMITS.searchLimitMax, default: LIMITS.searchLimitDefault },
    'Number of items in the page',
  ),
  offset: Type.Optional(
    Type.Union([Type.Integer({ minimum: LIMITS.offsetMin }), Type.Null()], {
      default: LIMITS.offsetDefault,
      description: 'Position of the first item. Past the end of the list, the page is shorter or empty, never an error',
    }),
  ),
  mode: Type.Optional(
    Type.Union(SearchMode.anyOf, {
      default: 'auto',
      description:
        '`auto` combines words and meaning, `text` uses words only, `semantic` meaning only (503 if the embedder is down)',
    }),
  ),
  safe: Safe,
  explain: Type.Optional(
    Type.Union([Type.Literal('0'), Type.Literal('1')], {
      default: '0',
      description: '1 explains how each item was found. Only for the development client; others get 400',
    }),
  ),
});

/** A search with its defaults filled in. */
export interface SearchRequest {
  q: string;
  limit: number;
  offset: number;
  mode: SearchMode;
  explain: boolean;
}

const Rank = Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
  description: 'Rank in the list of this leg; null if it is not in the list',
});

export const Explanation = Type.Object(
  {
    id: Type.String(),
    words: Type.Object({
      rank: Rank,
      score: Type.Number({
        description: 'Integer part: matched words of a short query. Fraction: BM25F score as a share of the maximum',
      }),
      terms: Type.Array(Type.String(), { description: 'Query terms that match the GIF' }),
    }),
    meaning: Type.Union(
      [
        Type.Object({
          rank: Rank,
          score: Type.Number({ description: 'Cosine similarity to the query; 0 for unrelated texts' }),
        }),
        Type.Null(),
      ],
      { description: 'null if the meaning leg did not run' },
    ),
  },
  { $id: 'Explanation', description: 'How an item was found' },
);
export type Explanation = Static<typeof Explanation>;

export const SearchResponse = Type.Object(
  {
    build: BuildId,
    gen: Generation,
    q: Type.String({ description: 'The query as searched (normalised)' }),
    semantic: Type.Boolean({ description: 'false: the meaning-based leg did not run' }),
    count: Type.Integer({
      minimum: 0,
      maximum: LIMITS.rankedListMax,
      description: "Length of this query's ranked list, not the number of matching GIFs in the index",
    }),
    offset: Type.Integer({ minimum: LIMITS.offsetMin }),
    limit: Type.Integer({ minimum: LIMITS.searchLimitMin, maximum: LIMITS.searchLimitMax }),
    items: Type.Array(Gif, { maxItems: LIMITS.searchLimitMax }),
    explain: Type.Optional(
      Type.Array(Explanation, { maxItems: LIMITS.searchLimitMax, description: 'One per item, with explain=1' }),
    ),
  },
  { $id: 'SearchResponse', description: 'One page of a ranked list' },
);
export type SearchResponse = Static<typeof SearchResponse>;
