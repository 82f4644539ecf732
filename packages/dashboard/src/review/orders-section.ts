import type { OddOrders } from '@zoetrope/contract/account';
import { html, type TemplateResult } from 'lit';
import { ask } from '../api.ts';
import { Loaded } from '../parts/loaded.ts';
import { fieldsOf, Panel } from '../parts/panel.ts';
import { count, momentOf } from '../words.ts';

type OddOrder = OddOrders['orders'][number];

/** Payments that nothing can be done about but by hand. */
class OrdersSection extends Panel {
  readonly #orders = new Loaded(this, () => ask('oddOrders'));

  override render() {
    return html`<section aria-labelledby="orders">
      <h2 id="orders">Odd payments</h2>
      <p>Paid twice for one client, or for one that is gone. Nothing is paid back by itself; note what you did.</p>
      ${this.renderDone()}
      ${this.#orders.render(({ orders }) =>
        orders.length === 0
          ? html`<p class="card muted">There is none.</p>`
          : html`<ul class="rows">${orders.map((order) => this.#renderOrder(order))}</ul>`,
      )}
    </section>`;
  }

  #renderOrder({ id, clientId, sats, state, paidAt, note }: OddOrder): TemplateResult {
    return html`<li class="card">
      <p><strong>${count(sats)} sats</strong>, ${state === 'surplus' ? 'paid twice' : 'paid for a client that is gone'},
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
      return 'The note was saved.';
    });
  }
}

customElements.define('orders-section', OrdersSection);
