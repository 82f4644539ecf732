import type { History } from '@zoetrope/contract/account';
import { html, LitElement, nothing, svg, type TemplateResult } from 'lit';
import { scaleEnd } from '../../client/usage/usage-days.ts';
import { say } from '../../words/operators.ts';
import { momentOf } from '../../words.ts';
import { type Chart, chartsOf, intervalsOf, pathOf, valuesAt } from './curves.ts';

const HEIGHT = 100;

/**
 * A chart for each number. Above each chart are the values of one interval: the interval under the pointer, or the
 * interval that the slider chooses. The slider also works with the keyboard and by touch.
 */
class CurveCharts extends LitElement {
  static override properties = { history: { attribute: false } };
  declare history: History;
  /**
   * Index of the interval whose values are shown. Null until the user chooses an interval. Until then, the last
   * interval is shown.
   */
  #picked: number | null = null;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override willUpdate(changed: ReadonlyMap<PropertyKey, unknown>): void {
    if (changed.has('history')) this.#picked = null;
  }

  override render() {
    const charts = chartsOf(this.history, Date.now());
    const intervals = intervalsOf(this.history);
    const last = intervals.length - 1;
    const chosen = this.#picked ?? last;
    const { at } = intervals[chosen]!;
    const told = charts
      .map((chart) => say('curveAt', { name: chart.name, values: valuesAt(chart, chosen) }))
      .join('; ');
    return html`<p class="reading">${momentOf(at)}</p>
      <div class="curves">${charts.map((chart) => this.#renderChart(chart, chosen))}</div>
      <p class="chart"><input type="range" aria-label=${say('time')} min="0" max=${last} .value=${String(chosen)}
        aria-valuetext=${`${momentOf(at)}: ${told}`} @input=${this.#slide} /></p>`;
  }

  #renderChart(chart: Chart, chosen: number): TemplateResult {
    const { name, curves, inWords } = chart;
    const values = curves.flatMap((curve) => curve.values.filter((value) => value !== null));
    const most = Math.max(0, ...values);
    const end = scaleEnd(most);
    const label =
      values.length === 0 ? say('curveNothing', { name }) : say('curveHighest', { name, value: inWords(most) });
    const width = curves[0]!.values.length;
    return html`<figure class="chart">
      <figcaption><strong>${name}</strong> <span>${valuesAt(chart, chosen)}</span></figcaption>
      <div class="plot">
        <div class="scale" aria-hidden="true"><span>${inWords(end)}</span><span>0</span></div>
        <svg role="img" aria-label=${label} viewBox="0 0 ${width} ${HEIGHT}" preserveAspectRatio="none"
          @pointermove=${this.#point}>
          <rect class="column" data-chosen x=${chosen} y="0" width="1" height=${HEIGHT}></rect>
          ${[0, HEIGHT].map((y) => svg`<line x1="0" x2=${width} y1=${y} y2=${y}></line>`)}
          ${curves.map((curve, n) => svg`<path class="curve" data-curve=${n} d=${pathOf(curve.values, end)}></path>`)}
        </svg>
      </div>
      ${
        curves.length === 1
          ? nothing
          : html`<div class="curve-keys">${curves.map((curve, n) => html`<span data-curve=${n}>${curve.name}</span>`)}</div>`
      }
    </figure>`;
  }

  readonly #point = (event: PointerEvent): void => {
    const { left, width } = (event.currentTarget as SVGElement).getBoundingClientRect();
    const last = intervalsOf(this.history).length - 1;
    this.#choose(Math.floor(((event.clientX - left) / width) * (last + 1)), last);
  };

  #slide(event: InputEvent): void {
    this.#choose(Number((event.target as HTMLInputElement).value), Number.POSITIVE_INFINITY);
  }

  #choose(interval: number, last: number): void {
    this.#picked = Math.max(0, Math.min(last, interval));
    this.requestUpdate();
  }
}

customElements.define('curve-charts', CurveCharts);
