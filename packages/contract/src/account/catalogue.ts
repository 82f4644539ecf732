import Type, { type Static } from 'typebox';
import { GifFormat } from '../gif.ts';
import { ID_PATTERN } from '../limits.ts';
import { Line, Time } from './values.ts';

/** The whole catalogue as operators see it, and actions on several GIFs. */

const GifId = Type.String({ pattern: ID_PATTERN });

/** Makes the schema of a string that has one of these values. */
const choice = <Value extends string>(...values: Value[]) => Type.Unsafe<Value>(Type.Enum(values));

const HiddenBecause = choice('operator', 'dead', 'blocked', 'withdrawn', 'review');

/** The parameters of the catalogue. A missing or empty parameter does not filter. */
export const CatalogueQuery = Type.Object(
  {
    q: Type.Optional(Type.String({ maxLength: 200, description: 'Words' })),
    source: Type.Optional(Type.String({ maxLength: 200, description: 'Source, exactly as GIFs have it' })),
    state: Type.Optional(
      Type.Union([choice('', 'shown', 'hidden', 'waiting'), HiddenBecause], {
        description: 'waiting: linked GIFs whose file has not been looked at yet',
      }),
    ),
    rating: Type.Optional(choice('', 'none', 'unrated', 'safe', 'review', 'adult')),
    format: Type.Optional(choice('', 'gif', 'webp')),
    wordless: Type.Optional(choice('', '1')),
    after: Type.Optional(Type.String({ maxLength: 300, description: '`next` of the previous page' })),
  },
  { additionalProperties: false },
);
export type CatalogueQuery = Static<typeof CatalogueQuery>;

/** A GIF in a list of the catalogue. */
export const CatalogueGif = Type.Object({
  id: GifId,
  title: Type.String(),
  tags: Type.Array(Type.String()),
  alt: Type.String(),
  source: Type.String(),
  format: GifFormat,
  width: Type.Integer(),
  height: Type.Integer(),
  url: Type.Union([Type.String(), Type.Null()], { description: 'URL of a linked GIF; null if its file is stored' }),
  addedAt: Type.Union([Time, Type.Null()], { description: 'null if an earlier version of the program added it' }),
  hiddenBecause: Type.Array(HiddenBecause, { description: 'Empty if the GIF is not hidden' }),
  waiting: Type.Boolean({ description: 'Whether the file of the linked GIF has not been looked at yet' }),
  rating: Type.String({ description: 'unrated, safe, review or adult; empty if there is no rating' }),
  ratedBy: Type.String({ description: 'model, declared or operator; empty if there is no rating' }),
  markedAdult: Type.Boolean({ description: 'Whether a source of the GIF says that it is adult' }),
  edited: Type.Boolean(),
});
export type CatalogueGif = Static<typeof CatalogueGif>;

export const CataloguePage = Type.Object({
  gifs: Type.Array(CatalogueGif),
  next: Type.String({
    description: 'Value of `after` for the next page; empty on the last page. A page can be empty although more follow',
  }),
  maxFileBytes: Type.Integer({ minimum: 1, description: 'Maximum size of a file to add' }),
});
export type CataloguePage = Static<typeof CataloguePage>;

/** Maximum number of GIFs in one request. */
export const GIFS_PER_ACT = 100;

const gifs = { ids: Type.Array(GifId, { minItems: 1, maxItems: GIFS_PER_ACT }) };

export const GifsAct = Type.Union([
  Type.Object({ ...gifs, action: choice('hide', 'show', 'adult', 'safe', 'block') }, { additionalProperties: false }),
  Type.Object(
    { ...gifs, action: Type.Literal('tag'), tag: Line(100, 'A tag to add') },
    { additionalProperties: false },
  ),
]);
export type GifsAct = Static<typeof GifsAct>;

export const UndoMoves = Type.Object(
  { moves: Type.Array(Type.Integer({ minimum: 1 }), { minItems: 1, maxItems: GIFS_PER_ACT }) },
  { additionalProperties: false },
);

/** What an action did to each GIF, in the order of the request. */
export const GifsOutcome = Type.Object({
  outcomes: Type.Array(
    Type.Object({
      id: Type.String({ description: 'Id of the GIF; the number of the action if there is no such action' }),
      outcome: choice('done', 'unchanged', 'refused'),
      message: Type.String({ description: 'Why it was refused; otherwise empty' }),
      move: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], { description: 'The recorded action, if done' }),
    }),
  ),
  gifs: Type.Array(CatalogueGif, { description: 'The new states of the GIFs' }),
});
export type GifsOutcome = Static<typeof GifsOutcome>;

/** Everything known about an id, URL or hash. */
export const GifExplanation = Type.Object({
  gifs: Type.Array(CatalogueGif),
  blocked: Type.Boolean({ description: 'Whether files with this hash are on the block list' }),
  refusals: Type.Array(Type.Object({ key: Type.String(), reason: Type.String(), message: Type.String() }), {
    description: 'Files and lines that were refused when they were added',
  }),
  relay: Type.Union([Type.Object({ state: Type.String(), reason: Type.String() }), Type.Null()], {
    description: 'The state of a URL from relays; null if no relay named it',
  }),
});
export type GifExplanation = Static<typeof GifExplanation>;
