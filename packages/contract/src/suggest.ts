import Type, { type Static } from 'typebox';
import { LIMITS } from './limits.ts';
import { BuildId, Generation, Limit, Safe, Words } from './query.ts';

export const SuggestQuery = Type.Object({
  q: Words('The beginning of a term, or an emoji, for which terms that match its name are returned'),
  limit: Limit(
    { minimum: LIMITS.suggestLimitMin, maximum: LIMITS.suggestLimitMax, default: LIMITS.suggestLimitDefault },
    'Maximum number of terms',
  ),
  safe: Safe,
});

const TermKind = Type.Union(
  [Type.Literal('tag'), Type.Literal('character'), Type.Literal('title'), Type.Literal('text')],
  { description: 'Which field of the GIFs contains the term' },
);

export const Term = Type.Object(
  {
    term: Type.String(),
    kind: TermKind,
    n: Type.Integer({
      minimum: 0,
      description: 'How many GIFs use the term. Terms are sorted by this number, highest first',
    }),
    fuzzy: Type.Optional(
      Type.Boolean({
        description: `true marks a trigram (typo-tolerant) match, for queries of ${LIMITS.fuzzyMinLength} or more characters`,
      }),
    ),
  },
  { $id: 'Term', description: 'A term of the index' },
);
export type Term = Static<typeof Term>;

export const SuggestResponse = Type.Object(
  {
    build: BuildId,
    gen: Generation,
    q: Type.String(),
    terms: Type.Array(Term, { maxItems: LIMITS.suggestLimitMax }),
  },
  { $id: 'SuggestResponse', description: 'Completions, most used first' },
);
export type SuggestResponse = Static<typeof SuggestResponse>;
