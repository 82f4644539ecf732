import Type, { type Static } from 'typebox';
import { ID_PATTERN } from '../gif.ts';
import { Time } from './values.ts';

/** What operators do to single GIFs. */

const GifId = Type.String({ pattern: ID_PATTERN });
const Title = Type.String({ maxLength: 300 });
const Tags = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 100 });
const Alt = Type.String({ maxLength: 2_000 });

export const ReportReason = Type.Union([
  Type.Literal('illegal'),
  Type.Literal('adult'),
  Type.Literal('copyright'),
  Type.Literal('other'),
]);
export type ReportReason = Static<typeof ReportReason>;

const GifReport = Type.Object({
  id: Type.String(),
  reason: ReportReason,
  message: Type.String(),
  contact: Type.String({ description: 'Empty where nobody wants an answer' }),
  reporter: Type.String({ description: '`form`, or `nostr:` and a public key' }),
  at: Time,
});

/** Something that was done to a GIF. */
const GifMove = Type.Object({
  id: Type.Integer({ minimum: 1, description: 'Rises from move to move' }),
  gifId: GifId,
  action: Type.String(),
  actor: Type.String(),
  at: Time,
  changes: Type.Array(Type.Object({ what: Type.String(), before: Type.String(), after: Type.String() })),
  undone: Type.Boolean(),
});
export type GifMove = Static<typeof GifMove>;

export const ModeratedGif = Type.Object({
  id: GifId,
  title: Title,
  tags: Tags,
  alt: Alt,
  source: Type.String(),
  width: Type.Integer(),
  height: Type.Integer(),
  hidden: Type.Boolean({ description: 'Taken out by an operator' }),
  blocked: Type.Boolean(),
  rating: Type.String({ description: 'unrated, safe, review or adult; empty when nobody has said anything' }),
  ratedBy: Type.String({ description: 'model, declared or operator; empty likewise' }),
  edited: Type.Boolean({ description: 'Whether an operator said other words than were told' }),
  reports: Type.Array(GifReport, { description: 'Those that nobody has dealt with, the oldest first' }),
  moves: Type.Array(GifMove, { description: 'What was done to it, the latest first' }),
});
export type ModeratedGif = Static<typeof ModeratedGif>;

/**
 * reported: by people. doubtful: the networks are not sure of its rating. withheld: an own file that they call adult, shown to
 * nobody until an operator decides. hidden: by operators.
 */
export const ModerationList = Type.Union([
  Type.Literal('reported'),
  Type.Literal('doubtful'),
  Type.Literal('withheld'),
  Type.Literal('hidden'),
]);
export type ModerationList = Static<typeof ModerationList>;

export const ModerationQueue = Type.Object({
  reported: Type.Integer({ minimum: 0, description: 'GIFs with reports that nobody has dealt with' }),
  doubtful: Type.Integer({ minimum: 0, description: 'GIFs that wait for somebody to rate them' }),
  withheld: Type.Integer({ minimum: 0, description: 'Own files that networks call adult, until somebody decides' }),
  gifs: Type.Array(ModeratedGif),
  next: Type.String({ description: 'What to ask for as `after`; empty on the last page' }),
});
export type ModerationQueue = Static<typeof ModerationQueue>;

export const GifAct = Type.Union([
  Type.Object(
    {
      action: Type.Union([
        Type.Literal('hide'),
        Type.Literal('show'),
        Type.Literal('block'),
        Type.Literal('unblock'),
        Type.Literal('adult'),
        Type.Literal('safe'),
        Type.Literal('dismiss'),
      ]),
    },
    { additionalProperties: false },
  ),
  Type.Object(
    { action: Type.Literal('edit'), title: Title, tags: Tags, alt: Alt },
    { additionalProperties: false, description: 'Says these words in the place of what is told' },
  ),
  Type.Object(
    { action: Type.Literal('unedit') },
    { additionalProperties: false, description: 'Takes back all that was edited' },
  ),
]);
export type GifAct = Static<typeof GifAct>;

export const GifMoves = Type.Object({ moves: Type.Array(GifMove) });
export type GifMoves = Static<typeof GifMoves>;
