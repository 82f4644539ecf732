import type { Usage, UsageDay } from '@zoetrope/contract/account';
import { html, nothing, type TemplateResult } from 'lit';
import { ask } from '../../api.ts';
import { Loaded } from '../../parts/loaded.ts';
import { count, counted } from '../../words.ts';
import { ClientSection } from '../section.ts';
import './usage-chart.ts';
import { dailyOutcomes, sumCounts, usageCsv } from './usage-days.ts';
import './ways-table.ts';

/** The client's number of requests in the last 30 days. */
class UsageSection extends ClientSection {
  readonly #usage = new Loaded(this, () => ask('usage', { path: { clientId: this.client.id } }));

  override render() {
    return html`<section class="card" aria-labelledby="usage">
      <h2 id="usage">Usage</h2>
      <p>Requests in the last 30 days (UTC). Search terms are not stored.${
        this.site.cached ? ' Responses from caches in front of the service are not counted.' : ''
      }</p>
      ${this.#renderLimit()}
      ${this.#usage.render((usage) => renderUsage(usage))}
    </section>
    ${this.#usage.value?.days.length ? html`<ways-table .client=${this.client} .usage=${this.#usage.value}></ways-table>` : nothing}`;
  }

  #renderLimit(): TemplateResult | typeof nothing {
    const { searchesPerMinute } = this.client;
    if (searchesPerMinute === null) return nothing;
    const searches = `${count(searchesPerMinute)} ${searchesPerMinute === 1 ? 'search' : 'searches'}`;
    return html`<p>An operator has set the limit of this client: <strong>${searches} a minute</strong>. The limits of completions and similar GIFs change in the same proportion.</p>`;
  }
}

function renderUsage(usage: Usage): TemplateResult {
  const { days } = usage;
  const { requests, kept, refused, limited } = sumCounts(days);
  if (requests === 0) return html`<p class="muted">No requests yet.</p>`;
  const file = `data:text/csv;charset=utf-8,${encodeURIComponent(usageCsv(usage))}`;
  return html`<p>${counted(requests, 'request')}, ${share(kept, requests)} served from the cache,
      ${count(refused)} refused (400, 403), ${count(limited)} over the limit (429).</p>
    <usage-chart .days=${dailyOutcomes(days, Date.now())}></usage-chart>
    <p><a class="button plain" href=${file} download="usage.csv">Download CSV</a></p>
    <details>
      <summary>Show as a table</summary>
      <div class="scroll" tabindex="0" role="region" aria-label="Usage as a table">${renderTable(days)}</div>
    </details>`;
}

function renderTable(days: readonly UsageDay[]): TemplateResult {
  return html`<table>
    <thead>
      <tr>
        <th scope="col">Day</th><th scope="col">Operation</th><th scope="col">Requests</th>
        <th scope="col">Cached</th><th scope="col">Refused</th><th scope="col">Over the limit</th>
      </tr>
    </thead>
    <tbody>
      ${days.map(
        ({ day, operation, requests, kept, refused, limited }) => html`<tr>
          <th scope="row">${day}</th><td>${operation}</td><td>${count(requests)}</td>
          <td>${count(kept)}</td><td>${count(refused)}</td><td>${count(limited)}</td>
        </tr>`,
      )}
    </tbody>
  </table>`;
}

function share(part: number, whole: number): string {
  return whole === 0 ? '–' : `${Math.round((100 * part) / whole)} %`;
}

customElements.define('usage-section', UsageSection);
