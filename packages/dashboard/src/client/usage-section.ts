import type { Usage, UsageDay } from '@zoetrope/contract/account';
import { html, type TemplateResult } from 'lit';
import { ask } from '../api.ts';
import { Loaded } from '../parts/loaded.ts';
import { count } from '../words.ts';
import { ClientSection } from './section.ts';
import { usageChart } from './usage-chart.ts';

/** The client's number of requests in the last 30 days. */
class UsageSection extends ClientSection {
  readonly #usage = new Loaded(this, () => ask('usage', { path: { clientId: this.client.id } }));

  override render() {
    return html`<section class="card" aria-labelledby="usage">
      <h2 id="usage">Usage</h2>
      <p>Requests in the last 30 days (UTC). Search terms are not stored.</p>
      ${this.#usage.render((usage) => renderUsage(usage))}
    </section>`;
  }
}

function renderUsage({ days }: Usage): TemplateResult {
  if (days.every(({ requests }) => requests === 0)) return html`<p class="muted">No requests yet.</p>`;
  const sum = (field: 'requests' | 'kept' | 'refused' | 'limited') =>
    days.reduce((total, day) => total + day[field], 0);
  return html`<p>${count(sum('requests'))} requests, ${share(sum('kept'), sum('requests'))} served from the cache,
      ${count(sum('refused'))} rejected (400, 403), ${count(sum('limited'))} over the limit (429).</p>
    ${usageChart(days)}
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
        <th scope="col">Cached</th><th scope="col">Rejected</th><th scope="col">Over the limit</th>
      </tr>
    </thead>
    <tbody>
      ${days.map(
        ({ day, operation, requests, kept, refused, limited }) => html`<tr>
          <th scope="row">${day}</th><td>${operation}</td><td>${count(requests)}</td>
          <td>${share(kept, requests)}</td><td>${count(refused)}</td><td>${count(limited)}</td>
        </tr>`,
      )}
    </tbody>
  </table>`;
}

function share(part: number, whole: number): string {
  return whole === 0 ? '–' : `${Math.round((100 * part) / whole)} %`;
}

customElements.define('usage-section', UsageSection);
