import Type, { type Static } from 'typebox';
import { Id, Time } from './values.ts';

/**
 * open: the invoice waits for payment. unchecked: the invoice has expired, and the wallet has not confirmed since then
 * that nobody paid it. expired: not paid, as the wallet confirmed. A late payment still counts.
 *
 * unproven: settled according to the wallet, which returned no preimage. An operator decides. disproven: settled
 * according to the wallet, whose preimage does not match the invoice. refused: an operator did not find the payment.
 *
 * paid: settled according to the wallet, and proven by the preimage or accepted without it. The client is approved.
 * surplus: paid, but the client was no longer unpaid. orphan: paid after the client was deleted.
 */
export const OrderState = Type.Union([
  Type.Literal('open'),
  Type.Literal('unchecked'),
  Type.Literal('expired'),
  Type.Literal('unproven'),
  Type.Literal('disproven'),
  Type.Literal('refused'),
  Type.Literal('paid'),
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
