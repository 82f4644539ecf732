import type { Client, Usage, UsageWay } from '@zoetrope/contract/account';
import { html, LitElement, type TemplateResult } from 'lit';
import { count } from '../../words.ts';
import { latestDays, sumWays, type WayCounts } from './usage-days.ts';

const PERIODS = [
  { days: 1, name: 'Today' },
  { days: 7, name: 'Last 7 days' },
  { days: 30, name: 'Last 30 days' },
];

const KINDS: Readonly<Record<UsageWay['kind'], string>> = {
  origin: 'Origin',
  key: 'Key',
  'user-agent': 'User-Agent',
};

/** The requests of each origin, key and User-Agent in the chosen period. */
class WaysTable extends LitElement {
  static override properties = { client: { attribute: false }, usage: { attribute: false } };
  declare client: Client;
  declare usage: Usage;
  #days = 30;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override render() {
    const rows = sumWays(latestDays(this.usage, this.#days, Date.now()));
    return html`<section class="card" aria-labelledby="ways">
      <h2 id="ways">By key and origin</h2>
      <p class="field"><label for="period">Period</label>
        <select id="period" @change=${this.#choose}>
          ${PERIODS.map(({ days, name }) => html`<option value=${days} ?selected=${days === this.#days}>${name}</option>`)}
        </select></p>
      ${rows.length === 0 ? html`<p class="muted">No requests in this period.</p>` : this.#renderRows(rows)}
    </section>`;
  }

  #renderRows(rows: readonly WayCounts[]): TemplateResult {
    return html`<div class="scroll" tabindex="0" role="region" aria-label="Requests by key and origin">
      <table>
        <thead>
          <tr>
            <th scope="col">Key or origin</th><th scope="col">Kind</th><th scope="col">Requests</th>
            <th scope="col">Cached</th><th scope="col">Refused</th><th scope="col">Over the limit</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            ({ way, requests, kept, refused, limited }) => html`<tr>
              <th scope="row">${way?.name ?? 'Unknown'}</th><td>${way ? this.#kindOf(way) : '–'}</td>
              <td>${count(requests)}</td><td>${count(kept)}</td><td>${count(refused)}</td><td>${count(limited)}</td>
            </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }

  /** Names the kind, with the start of a key's id, because keys can have equal names. */
  #kindOf({ kind, wayId }: Pick<UsageWay, 'kind' | 'wayId'>): TemplateResult {
    const { origins, keys, userAgents } = this.client;
    const isHere = [...origins, ...keys, ...userAgents].some(({ id }) => id === wayId);
    const id = kind === 'key' ? html` <code title=${wayId}>${wayId.slice(0, 6)}</code>` : '';
    return html`${KINDS[kind]}${id}${isHere ? '' : ', removed'}`;
  }

  #choose(event: Event): void {
    this.#days = Number((event.target as HTMLSelectElement).value);
    this.requestUpdate();
  }
}

customElements.define('ways-table', WaysTable);
