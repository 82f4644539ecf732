import Type, { type Static } from 'typebox';
import { Gif } from './gif.ts';
import { LIMITS } from './limits.ts';
import { EVERYWHERE, type Operation } from './operations.ts';
import { BuildId, Generation, Limit, Safe } from './query.ts';
import { SimilarPath } from './similar.ts';

/** Path of the machine-readable description of discovery. */
export const DISCOVERY_OPENAPI_PATH = '/api/discover/v1/openapi.json';

/** Bounds of the operations of discovery. */
export const DISCOVERY_LIMITS = {
  /** Maximum number of ids in one request. */
  ids: 50,
  termsMax: 50,
  termsDefault: 20,
} as const;

const { idMaxLength, searchLimitMin, searchLimitMax, searchLimitDefault } = LIMITS;
/** Room for the longest ids, with a comma between them. */
const IDS_LENGTH = DISCOVERY_LIMITS.ids * (idMaxLength + 1);

const PageLimit = Limit(
  { minimum: searchLimitMin, maximum: searchLimitMax, default: searchLimitDefault },
  'Maximum number of items in the page',
);
const Offset = Type.Optional(
  Type.Integer({ minimum: 0, default: 0, description: 'Position of the first item. Pages beyond the end are empty' }),
);

export const GifResponse = Type.Object(
  { build: BuildId, gen: Generation, item: Gif },
  { $id: 'GifResponse', description: 'One GIF' },
);
export type GifResponse = Static<typeof GifResponse>;

export const GifsResponse = Type.Object(
  { build: BuildId, gen: Generation, items: Type.Array(Gif, { maxItems: DISCOVERY_LIMITS.ids }) },
  { $id: 'GifsResponse', description: 'The GIFs with the given ids' },
);
export type GifsResponse = Static<typeof GifsResponse>;

export const TrendingResponse = Type.Object(
  {
    build: BuildId,
    gen: Generation,
    count: Type.Integer({ minimum: 0, maximum: LIMITS.rankedListMax, description: 'Length of the whole list' }),
    offset: Type.Integer({ minimum: 0 }),
    limit: Type.Integer({ minimum: searchLimitMin, maximum: searchLimitMax }),
    items: Type.Array(Gif, { maxItems: searchLimitMax }),
  },
  { $id: 'TrendingResponse', description: 'One page of the GIFs to start with' },
);
export type TrendingResponse = Static<typeof TrendingResponse>;

export const TermsResponse = Type.Object(
  { build: BuildId, gen: Generation, terms: Type.Array(Type.String(), { maxItems: DISCOVERY_LIMITS.termsMax }) },
  { $id: 'TermsResponse', description: 'Terms to search for' },
);
export type TermsResponse = Static<typeof TermsResponse>;

export const Category = Type.Object(
  {
    name: Type.String({ description: 'Name to display' }),
    term: Type.String({ description: 'The query that finds the GIFs of the category' }),
    cover: Gif,
  },
  { $id: 'Category', description: 'A topic with a picture' },
);
export type Category = Static<typeof Category>;

export const CategoriesResponse = Type.Object(
  { build: BuildId, gen: Generation, categories: Type.Array(Category) },
  { $id: 'CategoriesResponse', description: 'The topics of this catalogue' },
);
export type CategoriesResponse = Static<typeof CategoriesResponse>;

/** The operations with which people look around before they search, all `GET`. They are not part of the API 1.0.0. */
export const DISCOVERY = {
  gif: {
    path: '/api/discover/v1/gifs/{id}',
    summary: 'Get one GIF',
    description: 'Also finds a GIF by a former id.',
    pathParameters: SimilarPath,
    query: Type.Object({ safe: Safe }),
    response: GifResponse,
    errors: [...EVERYWHERE, 'not_found'],
  },
  gifs: {
    path: '/api/discover/v1/gifs',
    summary: 'Get several GIFs',
    description: 'Returns the GIFs in the order of their ids. Unknown ids are left out.',
    query: Type.Object({
      ids: Type.String({
        minLength: 1,
        maxLength: IDS_LENGTH,
        description: `Up to ${DISCOVERY_LIMITS.ids} ids, separated by commas`,
      }),
      safe: Safe,
    }),
    response: GifsResponse,
    errors: EVERYWHERE,
  },
  trending: {
    path: '/api/discover/v1/trending',
    summary: 'List GIFs to start with',
    description:
      'Returns popular GIFs of the catalogue, in another order each day (UTC). The order depends on nothing that people ' +
      'search or pick.',
    query: Type.Object({ limit: PageLimit, offset: Offset, safe: Safe }),
    response: TrendingResponse,
    errors: EVERYWHERE,
  },
  terms: {
    path: '/api/discover/v1/trending/terms',
    summary: 'List terms to start with',
    description: 'Returns the most frequent tags of the popular GIFs, or the categories if these GIFs have no tags.',
    query: Type.Object({
      limit: Limit(
        { minimum: 1, maximum: DISCOVERY_LIMITS.termsMax, default: DISCOVERY_LIMITS.termsDefault },
        'Maximum number of terms',
      ),
      safe: Safe,
    }),
    response: TermsResponse,
    errors: EVERYWHERE,
  },
  categories: {
    path: '/api/discover/v1/categories',
    summary: 'List topics with a picture',
    description: 'Returns the topics for which the catalogue has enough GIFs. The operator can choose the topics.',
    query: Type.Object({ safe: Safe }),
    response: CategoriesResponse,
    errors: EVERYWHERE,
  },
  random: {
    path: '/api/discover/v1/random',
    summary: 'Get a random GIF',
    description: 'Chooses among the popular GIFs, or among the results of `q`. The response is never cached.',
    query: Type.Object({
      q: Type.Optional(
        Type.String({ default: '', maxLength: LIMITS.queryMaxLength, description: 'Words, emoji, or both' }),
      ),
      safe: Safe,
    }),
    response: GifResponse,
    errors: [...EVERYWHERE, 'not_found'],
  },
} as const satisfies Record<string, Operation>;
