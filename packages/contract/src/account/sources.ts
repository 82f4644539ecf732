import Type, { type Static } from 'typebox';
import { Time } from './values.ts';

/** The relays and catalogues that GIFs come from, for operators. */

const Count = Type.Integer({ minimum: 0 });
const Seconds = Type.Integer({ minimum: 0, description: 'In seconds since the Unix epoch' });
const Text = Type.String();

const FollowedRelay = Type.Object({
  url: Text,
  from: Type.Union([Type.Literal('settings'), Type.Literal('added'), Type.Literal('none')], {
    description: 'Why it is followed: it is in ZOETROPE_RELAYS, or it was added; none if it is no longer followed',
  }),
  state: Text,
  error: Type.Union([Text, Type.Null()]),
  changedAt: Time,
  streams: Type.Array(
    Type.Object({
      stream: Text,
      head: Seconds,
      gaps: Type.Array(Type.Object({ since: Seconds, until: Seconds })),
    }),
    { description: 'Up to when each kind of event was read' },
  ),
  taken: Type.Integer({ minimum: 0, description: 'Events that were ingested' }),
  skipped: Type.Array(Type.Object({ reason: Text, events: Count })),
});

const MarkedSubject = Type.Object({
  subject: Type.String({ description: 'Public key of a person in hexadecimal, or id of a GIF' }),
  gifs: Type.Integer({ minimum: 0, description: 'GIFs that the person marked as adult; 0 for a GIF' }),
  ignored: Type.Boolean(),
});

export const Sources = Type.Object({
  relays: Type.Array(FollowedRelay),
  files: Type.Array(Type.Object({ state: Text, reason: Type.Union([Text, Type.Null()]), urls: Count }), {
    description: 'What became of the URLs of GIFs in events',
  }),
  follower: Type.Union([Text, Type.Null()], { description: 'The process that follows the relays for all machines' }),
  quotas: Type.Object(
    { authorEvents: Count, relayEvents: Count, hostFiles: Count, bytes: Count },
    { description: 'The daily limits' },
  ),
  marks: Type.Array(MarkedSubject, {
    description: 'The 100 people with the most adult marks, then everybody and every GIF whose marks are ignored',
  }),
});
export type Sources = Static<typeof Sources>;

const FollowedCatalogue = Type.Object({
  url: Type.String({ description: 'URL of the service that publishes it' }),
  key: Type.Union([Text, Type.Null()], { description: 'Public key that signs it, as npub; null before it was read' }),
  state: Type.Union([Type.Literal('waiting'), Type.Literal('reading'), Type.Literal('read'), Type.Literal('failed')], {
    description:
      'waiting: nothing was read yet; reading: some parts are missing; read: everything was read; failed: the service cannot be reached, or something was refused, for the reason in `error`',
  }),
  error: Type.Union([Text, Type.Null()]),
  generation: Count,
  gifs: Type.Integer({ minimum: 0, description: 'GIFs in the catalogue' }),
  taken: Type.Integer({ minimum: 0, description: 'GIFs that were read and that only came from catalogues' }),
  known: Type.Integer({
    minimum: 0,
    description: 'GIFs that were read, but that this service already had from elsewhere, so that they stay as they are',
  }),
  checkedAt: Time,
  readAt: Time,
});

const PublishedCatalogue = Type.Object({
  key: Type.String({ description: 'Public key that signs it, as npub' }),
  generation: Count,
  gifs: Count,
  parts: Count,
  bytes: Type.Integer({ minimum: 0, description: 'Compressed size of all parts' }),
  writtenAt: Time,
  isCurrent: Type.Boolean({ description: 'Whether it has all changes of this service' }),
});

export const SharedCatalogues = Type.Object({
  publishing: Type.Boolean({ description: 'Whether ZOETROPE_PUBLISH is on' }),
  published: Type.Union([PublishedCatalogue, Type.Null()], { description: 'null if none was written yet' }),
  followed: Type.Array(FollowedCatalogue),
});
export type SharedCatalogues = Static<typeof SharedCatalogues>;

export const RelayUrl = Type.Object(
  { url: Type.String({ minLength: 1, maxLength: 2_000, description: 'ws or wss URL of a relay' }) },
  { additionalProperties: false },
);
export type RelayUrl = Static<typeof RelayUrl>;

export const MarksChange = Type.Object(
  {
    subject: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Id of a GIF, npub, or public key in hexadecimal',
    }),
    ignored: Type.Boolean(),
  },
  { additionalProperties: false },
);
export type MarksChange = Static<typeof MarksChange>;
