import Type, { type Static } from 'typebox';
import { Id, Time } from './values.ts';

/**
 * open: the invoice waits for payment. unchecked: the invoice has expired, and the wallet has not yet confirmed that
 * nobody paid it. expired: the wallet has confirmed that nobody paid the invoice. A late payment still counts.
 *
 * unproven: the wallet reported the payment, but returned no preimage. An operator decides. disproven: the wallet
 * reported the payment, but its preimage does not match the invoice. refused: an operator did not find the payment.
 *
 * paid: the wallet reported the payment, and the preimage proved it or an operator accepted it. The client is approved.
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
