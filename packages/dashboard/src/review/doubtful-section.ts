import type { ReviewQueue } from '@zoetrope/contract/account';
import { html, nothing, type TemplateResult } from 'lit';
import { ask } from '../api.ts';
import { BASE } from '../navigation.ts';
import { Loaded } from '../parts/loaded.ts';
import { Panel } from '../parts/panel.ts';
import { counted, momentOf } from '../words.ts';

/** Says what waits in the queue, and lists origins that are no longer verified. */
class DoubtfulSection extends Panel {
  readonly #queue = new Loaded(this, () => ask('review'));

  override render() {
    return this.#queue.render(
      ({ items, doubtful }) =>
        html`${
          items.length === 0
            ? nothing
            : html`<p class="note"><a href="${BASE}/review/queue">${counted(items.length, 'request')} in the queue</a></p>`
        } ${doubtful.length === 0 ? nothing : renderDoubtful(doubtful)}`,
    );
  }
}

function renderDoubtful(doubtful: ReviewQueue['doubtful']): TemplateResult {
  return html`<h2>No longer verified</h2>
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

customElements.define('doubtful-section', DoubtfulSection);
