import type { Usage, UsageDay } from '@zoetrope/contract/account';
import { html, nothing, type TemplateResult } from 'lit';
import { ask } from '../../api.ts';
import { Loaded } from '../../parts/loaded.ts';
import { count, percent } from '../../words.ts';
import { ClientSection } from '../section.ts';
import './usage-chart.ts';
import { dailyOutcomes, sumCounts, usageCsv } from './usage-days.ts';
import './ways-table.ts';
import { rich, say } from '../../words/owners.ts';

/** The client's number of requests in the last 30 days. */
class UsageSection extends ClientSection {
  readonly #usage = new Loaded(this, () => ask('usage', { path: { clientId: this.client.id } }));

  override render() {
    return html`<section class="card" aria-labelledby="usage">
      <h2 id="usage">${say('usage')}</h2>
      <p>${this.site.cached ? say('usageCached') : say('usageIntro')}</p>
      ${this.#renderLimit()}
      ${this.#usage.render((usage) => renderUsage(usage))}
    </section>
    ${this.#usage.value?.days.length ? html`<ways-table .client=${this.client} .usage=${this.#usage.value}></ways-table>` : nothing}`;
  }

  #renderLimit(): TemplateResult | typeof nothing {
    const { searchesPerMinute } = this.client;
    if (searchesPerMinute === null) return nothing;
    return html`<p>${rich('limitSet', { n: searchesPerMinute })}</p>`;
  }
}

function renderUsage(usage: Usage): TemplateResult {
  const { days } = usage;
  const { requests, kept, refused, limited } = sumCounts(days);
  if (requests === 0) return html`<p class="muted">${say('noRequests')}</p>`;
  const file = `data:text/csv;charset=utf-8,${encodeURIComponent(usageCsv(usage))}`;
  return html`<p>${say('usageSum', { n: requests, cached: percent(kept / requests), refused, limited })}</p>
    <usage-chart .days=${dailyOutcomes(days, Date.now())}></usage-chart>
    <p><a class="button plain" href=${file} download="usage.csv">${say('downloadCsv')}</a></p>
    <details>
      <summary>${say('showAsTable')}</summary>
      <div class="scroll" tabindex="0" role="region" aria-label=${say('usageTable')}>${renderTable(days)}</div>
    </details>`;
}

function renderTable(days: readonly UsageDay[]): TemplateResult {
  return html`<table>
    <thead>
      <tr>
        <th scope="col">${say('day')}</th><th scope="col">${say('operation')}</th><th scope="col">${say('requests')}</th>
        <th scope="col">${say('cached')}</th><th scope="col">${say('refused')}</th><th scope="col">${say('overLimit')}</th>
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

customElements.define('usage-section', UsageSection);
