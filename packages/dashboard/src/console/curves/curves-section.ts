import type { History, Span } from '@zoetrope/contract/account';
import { html, type TemplateResult } from 'lit';
import { ask } from '../../api.ts';
import { Loaded } from '../../parts/loaded.ts';
import { Panel } from '../../parts/panel.ts';
import { momentOf } from '../../words.ts';
import './curve-charts.ts';
import { say } from '../../words/operators.ts';
import { chartsOf, intervalsOf, valuesAt } from './curves.ts';

const SPANS: readonly Span[] = ['day', 'month'];

/** Curves of the service over time. */
class CurvesSection extends Panel {
  #span: Span = 'day';
  #isTableOpen = false;
  readonly #history = new Loaded(this, () => ask('history', { query: { span: this.#span } }));

  override render() {
    return html`<section aria-labelledby="curves">
      <h2 id="curves">${say('overTime')}</h2>
      <fieldset class="spans">
        <legend class="visually-hidden">${say('shownTime')}</legend>
        ${SPANS.map(
          (span) => html`<label><input type="radio" name="span" .checked=${span === this.#span}
            @change=${() => this.#choose(span)} /> ${say(`span_${span}`)}</label>`,
        )}
      </fieldset>
      ${this.#history.render((history) => this.#renderHistory(history))}
    </section>`;
  }

  #renderHistory(history: History): TemplateResult {
    if (history.points.length === 0) {
      return html`<p class="card muted">${say('nothingCounted')}</p>`;
    }
    return html`<curve-charts .history=${history}></curve-charts>
      <details @toggle=${this.#toggle}>
        <summary>${say('showAsTable')}</summary>
        ${this.#isTableOpen ? renderTable(history) : ''}
      </details>`;
  }

  #choose(span: Span): void {
    this.#span = span;
    void this.#history.reload();
  }

  /** The table is large, so it is only rendered when it is shown. */
  #toggle(event: Event): void {
    this.#isTableOpen = (event.currentTarget as HTMLDetailsElement).open;
    this.requestUpdate();
  }
}

/** Renders the latest interval first. */
function renderTable(history: History): TemplateResult {
  const charts = chartsOf(history, Date.now());
  const rows = intervalsOf(history).map(({ at, point }, n) => ({ at, n, isKnown: point !== null }));
  const known = rows.filter(({ isKnown }) => isKnown).toReversed();
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${say('timeTable')}><table>
    <thead><tr><th scope="col">${say('from')}</th>${charts.map(({ name }) => html`<th scope="col">${name}</th>`)}</tr></thead>
    <tbody>${known.map(
      ({ at, n }) => html`<tr><th scope="row" class="moment">${momentOf(at)}</th>
        ${charts.map((chart) => html`<td>${valuesAt(chart, n)}</td>`)}</tr>`,
    )}</tbody>
  </table></div>`;
}

customElements.define('curves-section', CurvesSection);
