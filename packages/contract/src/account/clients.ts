import Type, { type Static } from 'typebox';
import { LIMITS } from '../limits.ts';
import { KEY_DAYS } from './key-days.ts';
import { Id, Line, Npub, Pubkey, Time } from './values.ts';

/**
 * unpaid: the client is registered, but the fee is not paid yet. approved: the client's requests are accepted.
 * suspended: an operator has blocked the client. rejected: an operator has refused a client whose fee was not paid.
 */
export const ClientState = Type.Union([
  Type.Literal('unpaid'),
  Type.Literal('approved'),
  Type.Literal('rejected'),
  Type.Literal('suspended'),
]);
export type ClientState = Static<typeof ClientState>;

const details = {
  name: Line(100, 'Name that its users know'),
  description: Type.String({ maxLength: 500, description: 'What the client is, and who uses it' }),
  homePage: Type.String({ maxLength: 200, pattern: '^$|^https?://', description: 'URL of its home page' }),
  contact: Type.String({ maxLength: 200, description: 'How operators can reach its developers' }),
};

export const NewClient = Type.Object(
  { ...details, termsVersion: Type.String({ description: 'Version of the accepted terms' }) },
  { additionalProperties: false },
);
export type NewClient = Static<typeof NewClient>;

export const AcceptTerms = Type.Object(
  { termsVersion: NewClient.properties.termsVersion },
  { additionalProperties: false },
);

export const ClientChange = Type.Partial(Type.Object(details), { additionalProperties: false });
export type ClientChange = Static<typeof ClientChange>;

export const ClientSummary = Type.Object({ id: Id, name: details.name, state: ClientState, createdAt: Time });
export type ClientSummary = Static<typeof ClientSummary>;

/** The result of checking whether an origin's domain names an owner of the client (NIP-05). */
export const ProofResult = Type.Object({
  proven: Type.Boolean(),
  reason: Type.String({ description: 'Why the check failed, for the owners; empty if proven' }),
  checkedAt: Time,
});
export type ProofResult = Static<typeof ProofResult>;

/** A registered origin. Its domain is checked daily. A failed check does not remove the origin. */
const Origin = Type.Object({
  id: Id,
  origin: Type.String(),
  createdAt: Time,
  proof: Type.Union([ProofResult, Type.Null()], { description: 'null if an operator approved it' }),
});

/** A request that waits for an operator or an invited person. */
export const PendingRequest = Type.Object({
  id: Id,
  kind: Type.Union([Type.Literal('owner'), Type.Literal('origin'), Type.Literal('user-agent')]),
  value: Type.String(),
  createdAt: Time,
  proof: Type.Union([ProofResult, Type.Null()]),
});
export type PendingRequest = Static<typeof PendingRequest>;

/** A request rejected in the last 30 days, with the reason. */
export const Rejection = Type.Object({
  kind: PendingRequest.properties.kind,
  value: Type.String(),
  reason: Type.String(),
  at: Time,
});
export type Rejection = Static<typeof Rejection>;

export const Client = Type.Object({
  ...ClientSummary.properties,
  ...details,
  suspendedBecause: Type.String({ description: 'Empty unless suspended' }),
  searchesPerMinute: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
    description: 'Its own limit; null: the default of the service',
  }),
  terms: Type.Union([Type.Object({ version: Type.String(), acceptedAt: Time }), Type.Null()], {
    description: 'The latest accepted terms; null for a client that an operator registered',
  }),
  owners: Type.Array(Type.Object({ id: Id, pubkey: Pubkey, npub: Npub, createdAt: Time }), {
    maxItems: LIMITS.ownersPerClient,
  }),
  origins: Type.Array(Origin, { maxItems: LIMITS.originsPerClient }),
  keys: Type.Array(
    Type.Object({
      id: Id,
      name: Type.String(),
      createdAt: Time,
      lastUsedAt: Type.Union([Time, Type.Null()]),
      expiresAt: Type.Union([Time, Type.Null()], {
        description: 'Time from which the key is refused; null if it does not expire',
      }),
    }),
    { maxItems: LIMITS.apiKeysPerClient },
  ),
  userAgents: Type.Array(Type.Object({ id: Id, pattern: Type.String(), createdAt: Time }), {
    maxItems: LIMITS.userAgentsPerClient,
  }),
  requests: Type.Array(PendingRequest, { maxItems: LIMITS.pendingRequestsPerClient }),
  rejections: Type.Array(Rejection),
});
export type Client = Static<typeof Client>;

/** An invitation to become an owner. */
export const Invitation = Type.Object({ id: Id, clientId: Id, clientName: Type.String(), createdAt: Time });
export type Invitation = Static<typeof Invitation>;

/** The user's request to take over a client, which waits for an operator. */
export const OwnHandover = Type.Object({ id: Id, origin: Type.String(), createdAt: Time });
export type OwnHandover = Static<typeof OwnHandover>;

export const ClientList = Type.Object({
  clients: Type.Array(ClientSummary),
  invitations: Type.Array(Invitation),
  handovers: Type.Array(OwnHandover),
});
export type ClientList = Static<typeof ClientList>;

export const NewOrigin = Type.Object(
  { origin: Line(300, 'https://host or https://*.domain') },
  { additionalProperties: false },
);
const KeyDays = Type.Union([Type.Integer({ minimum: 1, maximum: KEY_DAYS.max }), Type.Null()], {
  description: 'Number of days after which the key expires; null or absent: it does not expire',
});
export const NewKey = Type.Object(
  { name: Line(100, 'Name of the key'), days: Type.Optional(KeyDays) },
  { additionalProperties: false },
);
export const RotateKey = Type.Object(
  {
    days: Type.Optional(KeyDays),
    overlapDays: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: KEY_DAYS.overlapMax,
        description: `Number of days for which the old key still works; ${KEY_DAYS.overlap} if absent`,
      }),
    ),
  },
  { additionalProperties: false },
);
export const NewUserAgent = Type.Object(
  { pattern: Line(200, 'Pattern of the User-Agent header; * matches anything') },
  { additionalProperties: false },
);
export const NewOwner = Type.Object(
  { who: Line(200, 'An npub, a pubkey in hex, or a NIP-05 name') },
  { additionalProperties: false },
);
export const DeleteClient = Type.Object(
  { name: Line(100, "The client's name, to confirm the deletion") },
  { additionalProperties: false },
);

/** A new key. Only this response contains it. */
export const CreatedKey = Type.Object({ id: Id, name: Type.String(), key: Type.String() });
export type CreatedKey = Static<typeof CreatedKey>;

/** A client's requests on one day (UTC), by operation. Queries are not recorded. */
export const UsageDay = Type.Object({
  day: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
  operation: Type.Union([Type.Literal('search'), Type.Literal('suggest'), Type.Literal('similar')]),
  requests: Type.Integer({ minimum: 0 }),
  kept: Type.Integer({ minimum: 0, description: 'Served from the cache' }),
  refused: Type.Integer({ minimum: 0, description: 'Rejected with 400 or 403' }),
  limited: Type.Integer({ minimum: 0, description: 'Answered 429' }),
});
export type UsageDay = Static<typeof UsageDay>;

/** A client's requests on one day, by operation and by the origin, key or User-Agent that identified the client. */
export const UsageWay = Type.Object({
  ...UsageDay.properties,
  wayId: Id,
  kind: Type.Union([Type.Literal('origin'), Type.Literal('key'), Type.Literal('user-agent')]),
  name: Type.String({ description: 'The origin, the name of the key, or the pattern of the User-Agent' }),
});
export type UsageWay = Static<typeof UsageWay>;
export const Usage = Type.Object({
  days: Type.Array(UsageDay),
  ways: Type.Array(UsageWay, {
    description: 'The same requests, as far as it is known how they identified the client',
  }),
});
export type Usage = Static<typeof Usage>;
