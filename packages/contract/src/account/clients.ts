import Type, { type Static } from 'typebox';
import { LIMITS } from '../limits.ts';
import { Id, Line, Npub, Pubkey, Time } from './values.ts';

/**
 * unpaid: registered, the fee is not paid yet. approved: let in. suspended: kept out by an operator. rejected and
 * pending: of clients that an operator registered and has not let in.
 */
export const ClientState = Type.Union([
  Type.Literal('unpaid'),
  Type.Literal('pending'),
  Type.Literal('approved'),
  Type.Literal('rejected'),
  Type.Literal('suspended'),
]);
export type ClientState = Static<typeof ClientState>;

const details = {
  name: Line(100, 'As its users know it'),
  description: Type.String({ maxLength: 500, description: 'What it is and who uses it' }),
  homePage: Type.String({ maxLength: 200, pattern: '^$|^https?://', description: 'Address of its home page' }),
  contact: Type.String({ maxLength: 200, description: 'Where operators reach its makers' }),
};

export const NewClient = Type.Object(
  { ...details, termsVersion: Type.String({ description: 'Of the terms that are accepted by this' }) },
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

/** What became of asking the domain of an origin for a proof (NIP-05). */
export const ProofResult = Type.Object({
  proven: Type.Boolean(),
  reason: Type.String({ description: 'Why not, in words for its owners; empty when proven' }),
  checkedAt: Time,
});
export type ProofResult = Static<typeof ProofResult>;

/** An origin that is let in. Its domain is asked every day, whatever it says the origin stays. */
const Origin = Type.Object({
  id: Id,
  origin: Type.String(),
  createdAt: Time,
  proof: Type.Union([ProofResult, Type.Null()], { description: 'Null where an operator approved it' }),
});

/** Something a client asks for, which somebody else must agree to. */
export const PendingRequest = Type.Object({
  id: Id,
  kind: Type.Union([Type.Literal('owner'), Type.Literal('origin'), Type.Literal('user-agent')]),
  value: Type.String(),
  createdAt: Time,
  proof: Type.Union([ProofResult, Type.Null()]),
});
export type PendingRequest = Static<typeof PendingRequest>;

/** What was asked for and refused in the last 30 days, with the reason. */
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
  terms: Type.Union([Type.Object({ version: Type.String(), acceptedAt: Time }), Type.Null()], {
    description: 'Which terms were accepted last; null for a client that an operator registered',
  }),
  owners: Type.Array(Type.Object({ id: Id, pubkey: Pubkey, npub: Npub, createdAt: Time }), {
    maxItems: LIMITS.ownersPerClient,
  }),
  origins: Type.Array(Origin, { maxItems: LIMITS.originsPerClient }),
  keys: Type.Array(
    Type.Object({ id: Id, name: Type.String(), createdAt: Time, lastUsedAt: Type.Union([Time, Type.Null()]) }),
    { maxItems: LIMITS.apiKeysPerClient },
  ),
  userAgents: Type.Array(Type.Object({ id: Id, pattern: Type.String(), createdAt: Time }), {
    maxItems: LIMITS.userAgentsPerClient,
  }),
  requests: Type.Array(PendingRequest, { maxItems: LIMITS.pendingRequestsPerClient }),
  rejections: Type.Array(Rejection),
});
export type Client = Static<typeof Client>;

/** Somebody is asked to become an owner. */
export const Invitation = Type.Object({ id: Id, clientId: Id, clientName: Type.String(), createdAt: Time });
export type Invitation = Static<typeof Invitation>;

export const ClientList = Type.Object({ clients: Type.Array(ClientSummary), invitations: Type.Array(Invitation) });
export type ClientList = Static<typeof ClientList>;

export const NewOrigin = Type.Object(
  { origin: Line(300, 'https://host or https://*.domain') },
  { additionalProperties: false },
);
export const NewKey = Type.Object({ name: Line(100, 'To tell keys apart') }, { additionalProperties: false });
export const NewUserAgent = Type.Object(
  { pattern: Line(200, 'Of the User-Agent header, * for anything') },
  { additionalProperties: false },
);
export const NewOwner = Type.Object(
  { who: Line(200, 'An npub, a pubkey in hex, or a NIP-05 name') },
  { additionalProperties: false },
);
export const DeleteClient = Type.Object(
  { name: Line(100, 'The name of the client, to be sure') },
  { additionalProperties: false },
);

/** A key that was just made: the only time it is shown. */
export const CreatedKey = Type.Object({ id: Id, name: Type.String(), key: Type.String() });
export type CreatedKey = Static<typeof CreatedKey>;

/** What a client asked of the API on a day (UTC), by operation. Never what for. */
export const UsageDay = Type.Object({
  day: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
  operation: Type.Union([Type.Literal('search'), Type.Literal('suggest'), Type.Literal('similar')]),
  requests: Type.Integer({ minimum: 0 }),
  kept: Type.Integer({ minimum: 0, description: 'Answered from memory' }),
  refused: Type.Integer({ minimum: 0, description: 'Answered 400 or 403' }),
  limited: Type.Integer({ minimum: 0, description: 'Answered 429' }),
});
export type UsageDay = Static<typeof UsageDay>;
export const Usage = Type.Object({ days: Type.Array(UsageDay) });
export type Usage = Static<typeof Usage>;
