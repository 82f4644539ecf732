import type { OddOrders } from '@zoetrope/contract/account';
import { html, type TemplateResult } from 'lit';
import { ask } from '../api.ts';
import { Loaded } from '../parts/loaded.ts';
import { fieldsOf, Panel } from '../parts/panel.ts';
import { count, momentOf } from '../words.ts';

type OddOrder = OddOrders['orders'][number];

/** Payments that an operator has to resolve by hand. */
class OrdersSection extends Panel {
  readonly #orders = new Loaded(this, () => ask('oddOrders'));

  override render() {
    return html`<section aria-labelledby="orders">
      <h2 id="orders">Payments to resolve</h2>
      <p>Payments for clients that had already been paid for, or that were deleted before the payment arrived. Nothing is refunded automatically. Write down here what you did.</p>
      ${this.renderDone()}
      ${this.#orders.render(({ orders }) =>
        orders.length === 0
          ? html`<p class="card muted">None.</p>`
          : html`<ul class="rows">${orders.map((order) => this.#renderOrder(order))}</ul>`,
      )}
    </section>`;
  }

  #renderOrder({ id, clientId, sats, state, paidAt, note }: OddOrder): TemplateResult {
    return html`<li class="card">
      <p><strong>${count(sats)} sats</strong>, ${state === 'surplus' ? 'paid twice' : 'paid for a deleted client'},
        ${momentOf(paidAt)}<br />
        <span class="muted">order <code>${id}</code>, client <code>${clientId}</code></span></p>
      <form class="inline" @submit=${(event: SubmitEvent) => this.#save(event, id)}>
        <label for=${`note-${id}`}>Note</label>
        <input id=${`note-${id}`} name="note" maxlength="500" .value=${note} />
        <button type="submit" class="plain" aria-disabled=${this.busy}>Save note</button>
      </form>
      ${this.renderFailed(id)}
    </li>`;
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
