import Type, { type Static } from 'typebox';
import { Id, Time } from './values.ts';

/**
 * open: the invoice waits for payment. paid: settled according to the wallet, and proven by the preimage. The client is
 * approved. expired: not paid in time. A late payment still counts. surplus: paid after another invoice had already
 * been paid. orphan: paid after the client was deleted.
 */
export const OrderState = Type.Union([
  Type.Literal('open'),
  Type.Literal('paid'),
  Type.Literal('expired'),
  Type.Literal('surplus'),
  Type.Literal('orphan'),
]);
export type OrderState = Static<typeof OrderState>;

/** The invoice for a client's registration fee. */
export const Invoice = Type.Object({
  id: Id,
  clientId: Id,
  sats: Type.Integer({ minimum: 1 }),
  bolt11: Type.String(),
  qr: Type.String({ description: 'The invoice as an SVG image' }),
  state: OrderState,
  expiresAt: Time,
  serverTime: Time,
});
export type Invoice = Static<typeof Invoice>;
