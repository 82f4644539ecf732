import type { Client, Usage, UsageWay } from '@zoetrope/contract/account';
import { html, LitElement, type TemplateResult } from 'lit';
import { rich, say } from '../../words/owners.ts';
import { count } from '../../words.ts';
import { latestDays, sumWays, type WayCounts } from './usage-days.ts';

const PERIODS = [1, 7, 30] as const;
/** The requests of each origin, key and User-Agent in the chosen period. */
class WaysTable extends LitElement {
  static override properties = { client: { attribute: false }, usage: { attribute: false } };
  declare client: Client;
  declare usage: Usage;
  #days: (typeof PERIODS)[number] = 30;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override render() {
    const rows = sumWays(latestDays(this.usage, this.#days, Date.now()));
    return html`<section class="card" aria-labelledby="ways">
      <h2 id="ways">${say('byWay')}</h2>
      <p class="field"><label for="period">${say('period')}</label>
        <select id="period" @change=${this.#choose}>
          ${PERIODS.map(
            (days) => html`<option value=${days} ?selected=${days === this.#days}>${say(`days_${days}`)}</option>`,
          )}
        </select></p>
      ${rows.length === 0 ? html`<p class="muted">${say('noneInPeriod')}</p>` : this.#renderRows(rows)}
    </section>`;
  }

  #renderRows(rows: readonly WayCounts[]): TemplateResult {
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${say('requestsByWay')}>
      <table>
        <thead>
          <tr>
            <th scope="col">${say('keyOrOrigin')}</th><th scope="col">${say('kind')}</th><th scope="col">${say('requests')}</th>
            <th scope="col">${say('cached')}</th><th scope="col">${say('refused')}</th><th scope="col">${say('overLimit')}</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            ({ way, requests, kept, refused, limited }) => html`<tr>
              <th scope="row">${way?.name ?? say('unknown')}</th><td>${way ? this.#kindOf(way) : '–'}</td>
              <td>${count(requests)}</td><td>${count(kept)}</td><td>${count(refused)}</td><td>${count(limited)}</td>
            </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }

  /** Renders the name of the kind. For a key, adds the start of its id, because keys can have equal names. */
  #kindOf({ kind, wayId }: Pick<UsageWay, 'kind' | 'wayId'>): TemplateResult {
    const { origins, keys, userAgents } = this.client;
    const isHere = [...origins, ...keys, ...userAgents].some(({ id }) => id === wayId);
    const id = kind === 'key' ? html` <code title=${wayId}>${wayId.slice(0, 6)}</code>` : '';
    const name = html`${say(`kind_${kind}`)}${id}`;
    return isHere ? name : html`${rich('removedKind', { kind: name })}`;
  }

  #choose(event: Event): void {
    const chosen = Number((event.target as HTMLSelectElement).value);
    this.#days = PERIODS.find((days) => days === chosen)!;
    this.requestUpdate();
  }
}

customElements.define('ways-table', WaysTable);
