import type { Invoice, OddOrders } from '@zoetrope/contract/account';
import type { Payments as Wanted } from '../account/index.ts';
import type { Payments } from '../payments/index.ts';
import type { By } from '../registry/index.ts';

/** The requests that threads send to the main thread, which owns the wallet. */
export type PaymentsCall =
  | { method: 'createInvoice'; order: { clientId: string; pubkey: string } }
  | { method: 'latestInvoice'; clientId: string }
  | { method: 'oddOrders' }
  | { method: 'noteOrder'; id: string; note: string }
  | { method: 'acceptOrder' | 'refuseOrder'; id: string; by: By };

export type PaymentsAnswer = Invoice | OddOrders | null;

/** Does what a thread requests. Runs on the main thread. */
export async function answerPayments(payments: Payments, call: PaymentsCall): Promise<PaymentsAnswer> {
  switch (call.method) {
    case 'createInvoice':
      return payments.createInvoice(call.order);
    case 'latestInvoice':
      return (await payments.latestInvoice(call.clientId)) ?? null;
    case 'oddOrders':
      return payments.oddOrders();
    case 'noteOrder':
      await payments.noteOrder(call.id, call.note);
      return null;
    case 'acceptOrder':
      await payments.acceptOrder(call.id, call.by);
      return null;
    case 'refuseOrder':
      await payments.refuseOrder(call.id, call.by);
      return null;
  }
}

type Ask = <Result extends PaymentsAnswer>(call: PaymentsCall) => Promise<Result>;

/**
 * Returns functions that send requests to the main thread. Runs on a serving thread.
 * @param fee the fee, which is constant while the service runs
 */
export function paymentsBy(ask: Ask, fee: ReturnType<Payments['fee']>): Wanted {
  return {
    fee: () => fee,
    createInvoice: (order) => ask<Invoice>({ method: 'createInvoice', order }),
    latestInvoice: async (clientId) => (await ask<Invoice | null>({ method: 'latestInvoice', clientId })) ?? undefined,
    oddOrders: () => ask<OddOrders>({ method: 'oddOrders' }),
    noteOrder: async (id, note) => void (await ask<null>({ method: 'noteOrder', id, note })),
    acceptOrder: async (id, by) => void (await ask<null>({ method: 'acceptOrder', id, by })),
    refuseOrder: async (id, by) => void (await ask<null>({ method: 'refuseOrder', id, by })),
  };
}
