import type { OddOrders, OrderState } from '@zoetrope/contract/account';
import { html, nothing, type TemplateResult } from 'lit';
import { ask } from '../api.ts';
import { BASE } from '../navigation.ts';
import { Loaded } from '../parts/loaded.ts';
import { fieldsOf, Panel } from '../parts/panel.ts';
import { count, momentOf } from '../words.ts';

type OddOrder = OddOrders['orders'][number];

/** The reason why each order is in the list. */
const REASONS: Readonly<Partial<Record<OrderState, string>>> = {
  unproven: 'settled according to the wallet, without a proof',
  disproven: 'settled according to the wallet, with a proof that does not match the invoice',
  unchecked: 'expired, and the wallet has not confirmed that nobody paid',
  surplus: 'paid for a client that was no longer unpaid',
  orphan: 'paid for a deleted client',
};
/** The states in which an operator can accept or refuse an order. */
const ACCEPTED: ReadonlySet<OrderState> = new Set(['unproven', 'unchecked']);
const REFUSED: ReadonlySet<OrderState> = new Set(['unproven', 'unchecked', 'disproven']);
/** Advice about what else an operator can do. */
const ADVICE: Readonly<Partial<Record<OrderState, string>>> = {
  unproven:
    'The wallet returned no preimage. If it never does and you trust it, set ZOETROPE_LIGHTNING_PROOF=optional.',
  disproven: 'Check the wallet. If you find the payment, approve the client on its page and write a note.',
};

/** Payments that an operator has to resolve by hand. */
class OrdersSection extends Panel {
  readonly #orders = new Loaded(this, () => ask('oddOrders'));

  override render() {
    return html`<section aria-labelledby="orders">
      <h2 id="orders">Payments to resolve</h2>
      <p>Orders that the wallet reports as paid without a valid proof, or that expired without an answer from the wallet: accept an order if you find the payment in your wallet, and refuse it if you do not. Also payments for clients that had already been paid for, or that were deleted. Nothing is refunded automatically. Write down here what you did.</p>
      ${this.renderDone()}
      ${this.#orders.render(({ orders }) =>
        orders.length === 0
          ? html`<p class="card muted">None.</p>`
          : html`<ul class="rows">${orders.map((order) => this.#renderOrder(order))}</ul>`,
      )}
    </section>`;
  }

  #renderOrder(order: OddOrder): TemplateResult {
    const { id, clientId, sats, state, provider, paidAt, expiresAt, note } = order;
    return html`<li class="card">
      <p><strong>${count(sats)} sats</strong>, ${REASONS[state] ?? state}, ${momentOf(paidAt ?? expiresAt)}<br />
        <span class="muted">order <code>${id}</code>, client ${
          state === 'orphan'
            ? html`<code>${clientId}</code>`
            : html`<a href=${`${BASE}/review/clients/${clientId}`}>${clientId}</a>`
        }, wallet ${provider}</span></p>
      ${ACCEPTED.has(state) || REFUSED.has(state) ? this.#renderDecision(order) : nothing}
      <form class="inline" @submit=${(event: SubmitEvent) => this.#save(event, id)}>
        <label for=${`note-${id}`}>Note</label>
        <input id=${`note-${id}`} name="note" maxlength="500" .value=${note} />
        <button type="submit" class="plain" aria-disabled=${this.busy}>Save note</button>
      </form>
      ${this.renderFailed(id)}
    </li>`;
  }

  #renderDecision({ id, state }: OddOrder): TemplateResult {
    return html`${ADVICE[state] === undefined ? nothing : html`<p class="muted">${ADVICE[state]}</p>`}
      <p class="row">
        ${
          ACCEPTED.has(state)
            ? html`<button type="button" aria-label=${`Accept order ${id}`} aria-disabled=${this.busy} @click=${() => this.#decide('acceptOrder', id)}>
                Accept
              </button>`
            : nothing
        }
        <button type="button" class="plain" aria-label=${`Refuse order ${id}`} aria-disabled=${this.busy} @click=${() => this.#decide('refuseOrder', id)}>
          Refuse
        </button>
      </p>`;
  }

  #decide(route: 'acceptOrder' | 'refuseOrder', orderId: string): Promise<void> {
    return this.act(orderId, async () => {
      this.#orders.set(await ask(route, { path: { orderId } }));
      return route === 'acceptOrder' ? 'Order accepted.' : 'Order refused.';
    });
  }

  #save(event: SubmitEvent, orderId: string): Promise<void> {
    const { note } = fieldsOf(event);
    return this.act(orderId, async () => {
      this.#orders.set(await ask('noteOrder', { path: { orderId }, body: { note: note! } }));
      return 'Note saved.';
    });
  }
}

customElements.define('orders-section', OrdersSection);
