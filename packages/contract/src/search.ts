import Type, { type Static } from 'typebox';
import { Gif } from './gif.ts';
import { LIMITS } from './limits.ts';
import { BuildId, Generation, Limit, Safe, Words } from './query.ts';

export const SearchMode = Type.Union([Type.Literal('auto'), Type.Literal('text'), Type.Literal('semantic')]);
export type SearchMode = Static<typeof SearchMode>;

export const SearchQuery = Type.Object({
  q: Words(
    'Words in any language, emoji, or both. An emoji is searched by meaning, whatever its skin tone. Punctuation and ' +
      `search syntax are ignored. Only the first ${LIMITS.querySearchedLength} characters are searched`,
  ),
  limit: Limit(
    { minimum: LIMITS.searchLimitMin, maximum: LIMITS.searchLimitMax, default: LIMITS.searchLimitDefault },
    'Number of items in the page',
  ),
  offset: Type.Optional(
    Type.Union([Type.Integer({ minimum: LIMITS.offsetMin }), Type.Null()], {
      default: LIMITS.offsetDefault,
      description: 'Where the page starts. Past the end of the list the page is shorter or empty, never an error',
    }),
  ),
  mode: Type.Optional(
    Type.Union(SearchMode.anyOf, {
      default: 'auto',
      description:
        '`auto` blends words and meaning, `text` searches words only, `semantic` meaning only (503 when the embedder is down)',
    }),
  ),
  safe: Safe,
});

/** A search after its defaults are filled in. */
export interface SearchRequest {
  q: string;
  limit: number;
  offset: number;
  mode: SearchMode;
}

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
  },
  { $id: 'SearchResponse', description: 'One page of a ranked list' },
);
export type SearchResponse = Static<typeof SearchResponse>;
