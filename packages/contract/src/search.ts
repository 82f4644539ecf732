import Type, { type Static } from 'typebox';
import { Gif } from './gif.ts';
import { LIMITS } from './limits.ts';
import { BuildId, Generation, Limit, Safe, Words } from './query.ts';

export const SearchMode = Type.Union([Type.Literal('auto'), Type.Literal('text'), Type.Literal('semantic')]);
export type SearchMode = Static<typeof SearchMode>;

export const SearchQuery = Type.Object({
  q: Words(
    'Words in any language, emoji, or both. An emoji is searched by its name, regardless of skin tone. Punctuation and ' +
      `search syntax are ignored. Only the first ${LIMITS.querySearchedLength} characters are searched`,
  ),
  limit: Limit(
    { minimum: LIMITS.searchLimitMin, maximum: LIMITS.searchLimitMax, default: LIMITS.searchLimitDefault },
    'Maximum number of items in the page',
  ),
  offset: Type.Optional(
    Type.Union([Type.Integer({ minimum: LIMITS.offsetMin }), Type.Null()], {
      default: LIMITS.offsetDefault,
      description:
        'Position of the first item. The last page can be shorter, and pages beyond it are empty; neither is an error',
    }),
  ),
  mode: Type.Optional(
    Type.Union(SearchMode.anyOf, {
      default: 'auto',
      description:
        '`auto` combines text search and semantic search; `text` and `semantic` use only one (`semantic`: 503 if unavailable)',
    }),
  ),
  safe: Safe,
  lang: Type.Optional(
    Type.String({
      default: '',
      description:
        "The user's language (`de`, `pt-BR`). It decides how words are read that exist in several languages: `kind` is also " +
        'German for a child. `semantic` ignores it, and so does every mode if the language is unknown',
    }),
  ),
  explain: Type.Optional(
    Type.Union([Type.Literal('0'), Type.Literal('1')], {
      default: '0',
      description: '1 explains how each item was found. Only the development client can use it; other clients get 400',
    }),
  ),
});

/** A search in which missing parameters have their defaults. */
export interface SearchRequest {
  q: string;
  limit: number;
  offset: number;
  mode: SearchMode;
  lang?: string;
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
        description:
          'Integer part: how many words of a short query match. Fraction: BM25F score as a share of the maximum',
      }),
      terms: Type.Array(Type.String(), { description: 'Query terms that match the GIF' }),
      query: Type.Optional(
        Type.String({ description: 'The completed or corrected query that found the GIF, if `q` itself did not' }),
      ),
    }),
    meaning: Type.Union(
      [
        Type.Object({
          rank: Rank,
          score: Type.Number({ description: 'Similarity to the query: 1 for equal texts, 0 for unrelated texts' }),
          encoder: Type.String({
            description: 'What made the vector of the query: a table of meanings, or the embedder with this id',
          }),
        }),
        Type.Null(),
      ],
      { description: 'null if semantic search was not used' },
    ),
  },
  { $id: 'Explanation', description: 'How an item was found' },
);
export type Explanation = Static<typeof Explanation>;

export const SearchResponse = Type.Object(
  {
    build: BuildId,
    gen: Generation,
    q: Type.String({ description: 'The query after normalisation, as it was searched' }),
    corrected: Type.Optional(
      Type.String({
        description:
          'Only if words of `q` were unknown: the corrected query that was searched; show it as “results for …”',
      }),
    ),
    semantic: Type.Boolean({ description: 'Whether semantic search was used' }),
    count: Type.Integer({
      minimum: 0,
      maximum: LIMITS.rankedListMax,
      description: "Length of this query's ranked list, not the number of matching GIFs in the index",
    }),
    offset: Type.Integer({ minimum: LIMITS.offsetMin }),
    limit: Type.Integer({ minimum: LIMITS.searchLimitMin, maximum: LIMITS.searchLimitMax }),
    items: Type.Array(Gif, { maxItems: LIMITS.searchLimitMax }),
    explain: Type.Optional(
      Type.Array(Explanation, {
        maxItems: LIMITS.searchLimitMax,
        description: 'Only with explain=1: one explanation per item, in the order of the items',
      }),
    ),
  },
  { $id: 'SearchResponse', description: "One page of a query's ranked list" },
);
export type SearchResponse = Static<typeof SearchResponse>;
