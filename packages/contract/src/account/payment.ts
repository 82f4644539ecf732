import Type, { type Static } from 'typebox';
import { Id, Time } from './values.ts';

/**
 * open: to be paid. paid: settled, says the wallet, and proven by its preimage; the client is let in. expired: not paid in
 * time; paid later, it still counts. surplus: paid although another invoice had let the client in. orphan: paid after the
 * client was deleted.
 */
export const OrderState = Type.Union([
  Type.Literal('open'),
  Type.Literal('paid'),
  Type.Literal('expired'),
  Type.Literal('surplus'),
  Type.Literal('orphan'),
]);
export type OrderState = Static<typeof OrderState>;

/** The invoice for a client's fee. */
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
