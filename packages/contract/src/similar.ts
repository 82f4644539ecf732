import Type, { type Static } from 'typebox';
import { Gif } from './gif.ts';
import { ID_PATTERN, LIMITS } from './limits.ts';
import { BuildId, Generation, Limit, Safe } from './query.ts';

export const SimilarPath = Type.Object({
  id: Type.String({ pattern: ID_PATTERN, description: 'The `id` of an item' }),
});

export const SimilarQuery = Type.Object({
  limit: Limit(
    { minimum: LIMITS.similarLimitMin, maximum: LIMITS.similarLimitMax, default: LIMITS.similarLimitDefault },
    'Maximum number of items',
  ),
  safe: Safe,
});

export const SimilarResponse = Type.Object(
  {
    build: BuildId,
    gen: Generation,
    items: Type.Array(Gif, { maxItems: LIMITS.similarLimitMax, description: 'Most similar first' }),
  },
  { $id: 'SimilarResponse', description: 'GIFs that look like the given one' },
);
export type SimilarResponse = Static<typeof SimilarResponse>;
