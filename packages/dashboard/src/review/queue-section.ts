import type { ReviewItem, ReviewQueue } from '@zoetrope/contract/account';
import { html, nothing, type TemplateResult } from 'lit';
import { ask } from '../api.ts';
import { BASE } from '../navigation.ts';
import { Loaded } from '../parts/loaded.ts';
import { fieldsOf, Panel } from '../parts/panel.ts';
import { momentOf } from '../words.ts';

const KINDS: Readonly<Record<ReviewItem['kind'], string>> = {
  origin: 'origin',
  'user-agent': 'user agent',
  owner: 'owner',
};

/** Clients' requests that wait for an operator's decision. */
class QueueSection extends Panel {
  readonly #queue = new Loaded(this, () => ask('review'));
  /** Id of the request being rejected, while its reason form is open. */
  #refused = '';

  override render() {
    return html`<section aria-labelledby="queue">
      <h2 id="queue">Waiting for review</h2>
      ${this.renderDone()} ${this.#queue.render((queue) => this.#renderQueue(queue))}
    </section>`;
  }

  #renderQueue({ items, doubtful }: ReviewQueue): TemplateResult {
    return html`${
      items.length === 0
        ? html`<p class="card muted">Nothing to review.</p>`
        : html`<ul class="rows">${items.map((item) => this.#renderItem(item))}</ul>`
    }
    ${doubtful.length === 0 ? nothing : renderDoubtful(doubtful)}`;
  }

  #renderItem(item: ReviewItem): TemplateResult {
    const { id, kind, value, clientId, clientName, homePage, createdAt, proof } = item;
    return html`<li class="card">
      <p><strong>${KINDS[kind]}</strong> <code class="long">${value}</code> of
        <a href=${`${BASE}/review/clients/${clientId}`}>${clientName}</a></p>
      <p class="muted">requested ${momentOf(createdAt)}${homePage ? html`, home page <span>${homePage}</span>` : nothing}${
        proof ? html`, ${proof.proven ? 'verified by its domain' : `not verified: ${proof.reason}`}` : nothing
      }</p>
      ${this.renderFailed(id)}
      ${this.#refused === id ? this.#renderReason(item) : this.#renderChoice(item)}
    </li>`;
  }

  #renderChoice({ id, value }: ReviewItem): TemplateResult {
    return html`<p class="row">
      <button type="button" aria-label=${`Approve ${value}`} aria-disabled=${this.busy} @click=${() => this.#approve(id, value)}>
        Approve
      </button>
      <button type="button" class="plain" aria-label=${`Reject ${value}`} aria-disabled=${this.busy} @click=${() => this.#refuse(id)}>
        Reject …
      </button>
    </p>`;
  }

  #renderReason({ id, value }: ReviewItem): TemplateResult {
    return html`<form class="inline" @submit=${(event: SubmitEvent) => this.#reject(event, id, value)}>
      <label for=${`reason-${id}`}>Reason (shown to the owners)</label>
      <input id=${`reason-${id}`} name="reason" required maxlength="500" />
      <button type="submit" class="danger" aria-disabled=${this.busy}>Reject</button>
      <button type="button" class="plain" @click=${() => this.#refuse('')}>Cancel</button>
    </form>`;
  }

  /** Opens or closes the reason form and moves the focus accordingly. */
  async #refuse(id: string): Promise<void> {
    this.#refused = id;
    this.requestUpdate();
    await this.updateComplete;
    this.querySelector<HTMLElement>(id === '' ? '.rows button' : `#reason-${CSS.escape(id)}`)?.focus();
  }

  #approve(requestId: string, value: string): Promise<void> {
    return this.act(requestId, async () => {
      this.#queue.set(await ask('approve', { path: { requestId } }));
      return `${value} was approved.`;
    });
  }

  #reject(event: SubmitEvent, requestId: string, value: string): Promise<void> {
    const { reason } = fieldsOf(event);
    return this.act(requestId, async () => {
      this.#queue.set(await ask('reject', { path: { requestId }, body: { reason: reason! } }));
      this.#refused = '';
      return `${value} was rejected.`;
    });
  }
}

function renderDoubtful(doubtful: ReviewQueue['doubtful']): TemplateResult {
  return html`<h3>No longer verified</h3>
    <p>These origins were verified by their domains, which then failed three checks within a week. The origins still
      work.</p>
    <ul class="rows">
      ${doubtful.map(
        ({ origin, clientId, clientName, reason, checkedAt }) => html`<li class="card">
          <p><code class="long">${origin}</code> of <a href=${`${BASE}/review/clients/${clientId}`}>${clientName}</a></p>
          <p class="muted">checked ${momentOf(checkedAt)}: ${reason}</p>
        </li>`,
      )}
    </ul>`;
}

customElements.define('queue-section', QueueSection);
