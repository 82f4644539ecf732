import Type, { type Static } from 'typebox';
import { ID_PATTERN } from '../limits.ts';
import { Time } from './values.ts';

/** The actions that operators can take on a GIF. */

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
  contact: Type.String({ description: 'Empty if no reply is wanted' }),
  reporter: Type.String({ description: '`form`, or `nostr:` and a public key' }),
  at: Time,
  more: Type.Integer({ minimum: 0, description: 'Later reports for the same reason that were only counted' }),
});

/** One moderation action on a GIF. */
const GifMove = Type.Object({
  id: Type.Integer({ minimum: 1, description: 'Increases with each action' }),
  gifId: GifId,
  action: Type.String(),
  actor: Type.String(),
  at: Time,
  reason: Type.String({ description: 'Why the operator decided so; empty if none was given' }),
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
  hidden: Type.Boolean({ description: 'Hidden by an operator' }),
  inReview: Type.Boolean({ description: 'Uploaded by a member, and not reviewed yet' }),
  blocked: Type.Boolean(),
  rating: Type.String({ description: 'unrated, safe, review or adult; empty if there is no rating' }),
  ratedBy: Type.String({ description: 'model, declared or operator; empty if there is no rating' }),
  edited: Type.Boolean({ description: 'Whether an operator overrode its title, tags or alt text' }),
  reports: Type.Array(GifReport, { description: 'Open reports, oldest first' }),
  moves: Type.Array(GifMove, { description: 'Moderation history, latest first' }),
});
export type ModeratedGif = Static<typeof ModeratedGif>;

/**
 * reported: the GIF has open reports. doubtful: the models are not sure of the GIF's rating. withheld: the models rate
 * one of the operator's own files as adult, and the file is hidden until an operator decides. uploaded: a member uploaded
 * the GIF, and it is hidden until an operator has reviewed it. hidden: an operator has hidden the GIF.
 */
export const ModerationList = Type.Union([
  Type.Literal('reported'),
  Type.Literal('doubtful'),
  Type.Literal('withheld'),
  Type.Literal('uploaded'),
  Type.Literal('hidden'),
]);
export type ModerationList = Static<typeof ModerationList>;

/** The order of reported GIFs. oldest: the longest wait first. most: the most open reports first. */
export const ReportOrder = Type.Union([Type.Literal('oldest'), Type.Literal('most')]);
export type ReportOrder = Static<typeof ReportOrder>;

export const ModerationQueue = Type.Object({
  reported: Type.Integer({ minimum: 0, description: 'GIFs with open reports' }),
  doubtful: Type.Integer({ minimum: 0, description: 'GIFs that an operator must rate' }),
  withheld: Type.Integer({
    minimum: 0,
    description: "The operator's own files that the models rate adult and nobody has decided about",
  }),
  uploaded: Type.Integer({ minimum: 0, description: "Members' uploads that wait for a review" }),
  gifs: Type.Array(ModeratedGif),
  next: Type.String({ description: 'Value of `after` for the next page; empty on the last page' }),
});
export type ModerationQueue = Static<typeof ModerationQueue>;

/** Optional fields that describe an action. */
const About = {
  reason: Type.Optional(
    Type.String({ maxLength: 500, description: 'Why the operator decided so, for other operators' }),
  ),
  lastMove: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        'Id of the latest action on the GIF that the operator has seen; 0 for none. If there is a later one, the response is 409 `conflict`, and its message says what the other operator did',
    }),
  ),
};

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
      ...About,
    },
    { additionalProperties: false },
  ),
  Type.Object(
    { action: Type.Literal('edit'), title: Title, tags: Tags, alt: Alt, ...About },
    { additionalProperties: false, description: 'Overrides the title, tags or alt text' },
  ),
  Type.Object(
    { action: Type.Literal('unedit'), ...About },
    { additionalProperties: false, description: 'Removes all edits' },
  ),
]);
export type GifAct = Static<typeof GifAct>;

const LoggedMove = Type.Object({
  ...GifMove.properties,
  title: Type.String({ description: 'Current title of the GIF; empty if it has none or is gone' }),
});
export type LoggedMove = Static<typeof LoggedMove>;

export const GifMoves = Type.Object({ moves: Type.Array(LoggedMove) });
export type GifMoves = Static<typeof GifMoves>;
