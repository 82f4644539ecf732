import Type, { type Static } from 'typebox';
import { ClientSummary, PendingRequest } from './clients.ts';
import { OrderState } from './payment.ts';
import { Id, Line, Npub, Time } from './values.ts';

/** A request that waits for an operator's decision. */
export const ReviewItem = Type.Object({
  ...PendingRequest.properties,
  clientId: Id,
  clientName: Type.String(),
  homePage: Type.String(),
});
export type ReviewItem = Static<typeof ReviewItem>;

/**
 * An origin that was proven and then failed three checks within a week. Requests from the origin are still accepted.
 */
const DoubtfulOrigin = Type.Object({
  origin: Type.String(),
  clientId: Id,
  clientName: Type.String(),
  reason: Type.String(),
  checkedAt: Time,
});

export const ReviewQueue = Type.Object({ items: Type.Array(ReviewItem), doubtful: Type.Array(DoubtfulOrigin) });
export type ReviewQueue = Static<typeof ReviewQueue>;

/** A request to take over a client. The domain of the origin named the person when they requested it. */
export const Handover = Type.Object({
  id: Id,
  clientId: Id,
  clientName: Type.String(),
  origin: Type.String(),
  npub: Npub,
  owners: Type.Array(Npub, { description: 'The owners who would lose the client' }),
  createdAt: Time,
});
export type Handover = Static<typeof Handover>;
export const HandoverList = Type.Object({ handovers: Type.Array(Handover) });
export type HandoverList = Static<typeof HandoverList>;

export const Reason = Type.Object(
  { reason: Line(500, 'Shown to the owners of the client') },
  { additionalProperties: false },
);
export type Reason = Static<typeof Reason>;

/** A client's own limit. Its limits of completions and similar GIFs change in the same proportion. */
export const ClientLimit = Type.Object(
  {
    searchesPerMinute: Type.Union([Type.Integer({ minimum: 1, maximum: 100_000_000 }), Type.Null()], {
      description: 'null: the default of the service',
    }),
    reason: Line(500, 'Shown to the owners of the client'),
  },
  { additionalProperties: false },
);

export const FoundClients = Type.Object({
  clients: Type.Array(
    Type.Object({
      ...ClientSummary.properties,
      owners: Type.Array(Npub),
      origins: Type.Array(Type.String()),
      keys: Type.Integer({ minimum: 0, description: 'Number of keys' }),
      requests: Type.Integer({ minimum: 0, description: 'Requests of the last 30 days' }),
    }),
  ),
  next: Type.String({ description: 'Value of `after` for the next page; empty on the last page' }),
});
export type FoundClients = Static<typeof FoundClients>;

const AuditEntry = Type.Object({
  id: Type.Integer({ minimum: 1, description: 'Increases with each entry' }),
  at: Time,
  actor: Type.String(),
  action: Type.String(),
  clientId: Type.String({ pattern: '^[\\w-]{0,64}$', description: 'Empty if the change concerns no client' }),
  clientName: Type.String({ description: 'Current name; empty if the client was deleted' }),
  subject: Type.String(),
});
/** A page of the audit log, latest first. */
export const AuditTrail = Type.Object({
  entries: Type.Array(AuditEntry),
  hasMore: Type.Boolean({ description: 'Whether there are older entries' }),
});
export type AuditTrail = Static<typeof AuditTrail>;

/**
 * An order that an operator must resolve. Either it was paid although the fee was already paid or the client was
 * deleted. Or the wallet reported the payment without a valid proof. Or the order expired, and the wallet could not
 * confirm that nobody paid.
 */
const OddOrder = Type.Object({
  id: Id,
  clientId: Id,
  sats: Type.Integer({ minimum: 0 }),
  state: OrderState,
  provider: Type.String({ description: 'Provider of the invoice, such as lnbits' }),
  paidAt: Type.Union([Time, Type.Null()], { description: 'When the wallet reported the payment; null if it did not' }),
  expiresAt: Time,
  note: Type.String({ description: 'What an operator did to resolve it' }),
});
export const OddOrders = Type.Object({ orders: Type.Array(OddOrder) });
export type OddOrders = Static<typeof OddOrders>;
export const OrderNote = Type.Object({ note: Type.String({ maxLength: 500 }) }, { additionalProperties: false });
