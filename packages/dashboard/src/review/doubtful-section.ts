import type { ReviewQueue } from '@zoetrope/contract/account';
import { html, nothing, type TemplateResult } from 'lit';
import { ask } from '../api.ts';
import { BASE } from '../navigation.ts';
import { Loaded } from '../parts/loaded.ts';
import { Panel } from '../parts/panel.ts';
import { rich, say } from '../words/operators.ts';
import { momentOf } from '../words.ts';

/** Shows what waits in the queue, and lists origins that are no longer verified. */
class DoubtfulSection extends Panel {
  readonly #queue = new Loaded(this, () => ask('review'));

  override render() {
    return this.#queue.render(
      ({ items, doubtful }) =>
        html`${
          items.length === 0
            ? nothing
            : html`<p class="note"><a href="${BASE}/review/queue">${say('requestsQueued', { n: items.length })}</a></p>`
        } ${doubtful.length === 0 ? nothing : renderDoubtful(doubtful)}`,
    );
  }
}

function renderDoubtful(doubtful: ReviewQueue['doubtful']): TemplateResult {
  return html`<h2>${say('noLongerVerified')}</h2>
    <p>${say('doubtfulIntro')}</p>
    <ul class="rows">
      ${doubtful.map(
        ({ origin, clientId, clientName, reason, checkedAt }) => html`<li class="card">
          <p>${rich('originOf', {
            origin: html`<code class="long">${origin}</code>`,
            client: html`<a href=${`${BASE}/review/clients/${clientId}`}>${clientName}</a>`,
          })}</p>
          <p class="muted">${say('checkedWith', { date: momentOf(checkedAt), reason })}</p>
        </li>`,
      )}
    </ul>`;
}

customElements.define('doubtful-section', DoubtfulSection);
