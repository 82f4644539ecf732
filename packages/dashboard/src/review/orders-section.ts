import type { OddOrders, OrderState } from '@zoetrope/contract/account';
import { html, nothing, type TemplateResult } from 'lit';
import { ask } from '../api.ts';
import { BASE } from '../navigation.ts';
import { Loaded } from '../parts/loaded.ts';
import { fieldsOf, Panel } from '../parts/panel.ts';
import { rich, say } from '../words/operators.ts';
import { momentOf } from '../words.ts';

type OddOrder = OddOrders['orders'][number];

/** The reason why each order is in the list. */
const REASONS: Readonly<Partial<Record<OrderState, () => string>>> = {
  unproven: () => say('odd_unproven'),
  disproven: () => say('odd_disproven'),
  unchecked: () => say('odd_unchecked'),
  surplus: () => say('odd_surplus'),
  orphan: () => say('odd_orphan'),
};
/** The states in which an operator can accept or refuse an order. */
const ACCEPTED: ReadonlySet<OrderState> = new Set(['unproven', 'unchecked']);
const REFUSED: ReadonlySet<OrderState> = new Set(['unproven', 'unchecked', 'disproven']);
/** Advice about what else an operator can do. */
const ADVICE: Readonly<Partial<Record<OrderState, () => string>>> = {
  unproven: () => say('oddAdvice_unproven'),
  disproven: () => say('oddAdvice_disproven'),
};

/** Payments that an operator has to resolve by hand. */
class OrdersSection extends Panel {
  readonly #orders = new Loaded(this, () => ask('oddOrders'));

  override render() {
    return html`<section aria-labelledby="orders">
      <h2 id="orders">${say('paymentsTitle')}</h2>
      <p>${say('paymentsIntro')}</p>
      ${this.renderDone()}
      ${this.#orders.render(({ orders }) =>
        orders.length === 0
          ? html`<p class="card muted">${say('noPayments')}</p>`
          : html`<ul class="rows">${orders.map((order) => this.#renderOrder(order))}</ul>`,
      )}
    </section>`;
  }

  #renderOrder(order: OddOrder): TemplateResult {
    const { id, clientId, sats, state, provider, paidAt, expiresAt, note } = order;
    return html`<li class="card">
      <p>${rich('orderAmount', { n: sats, state: REASONS[state]?.() ?? state, date: momentOf(paidAt ?? expiresAt) })}<br />
        <span class="muted">${rich('orderFacts', {
          id: html`<code>${id}</code>`,
          client:
            state === 'orphan'
              ? html`<code>${clientId}</code>`
              : html`<a href=${`${BASE}/review/clients/${clientId}`}>${clientId}</a>`,
          wallet: provider,
        })}</span></p>
      ${ACCEPTED.has(state) || REFUSED.has(state) ? this.#renderDecision(order) : nothing}
      <form class="inline" @submit=${(event: SubmitEvent) => this.#save(event, id)}>
        <label for=${`note-${id}`}>${say('note')}</label>
        <input id=${`note-${id}`} name="note" maxlength="500" .value=${note} />
        <button type="submit" class="plain" aria-disabled=${this.busy}>${say('saveNote')}</button>
      </form>
      ${this.renderFailed(id)}
    </li>`;
  }

  #renderDecision({ id, state }: OddOrder): TemplateResult {
    return html`${ADVICE[state] === undefined ? nothing : html`<p class="muted">${ADVICE[state]()}</p>`}
      <p class="row">
        ${
          ACCEPTED.has(state)
            ? html`<button type="button" aria-label=${say('acceptOrder', { id })} aria-disabled=${this.busy} @click=${() => this.#decide('acceptOrder', id)}>${say('accept')}</button>`
            : nothing
        }
        <button type="button" class="plain" aria-label=${say('refuseOrder', { id })} aria-disabled=${this.busy} @click=${() => this.#decide('refuseOrder', id)}>${say('refuse')}</button>
      </p>`;
  }

  #decide(route: 'acceptOrder' | 'refuseOrder', orderId: string): Promise<void> {
    return this.act(orderId, async () => {
      this.#orders.set(await ask(route, { path: { orderId } }));
      return route === 'acceptOrder' ? say('orderAccepted') : say('orderRefused');
    });
  }

  #save(event: SubmitEvent, orderId: string): Promise<void> {
    const { note } = fieldsOf(event);
    return this.act(orderId, async () => {
      this.#orders.set(await ask('noteOrder', { path: { orderId }, body: { note: note! } }));
      return say('noteSaved');
    });
  }
}

customElements.define('orders-section', OrdersSection);
