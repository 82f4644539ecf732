import { html, LitElement, svg, type TemplateResult } from 'lit';
import { say } from '../../words/owners.ts';
import { count, dateOf } from '../../words.ts';
import { DAYS, type DayOutcomes, OUTCOMES, scaleEnd } from './usage-days.ts';

const STEP = 20;
const WIDTH = STEP * DAYS;
const HEIGHT = 160;
const GAP = 4;

/**
 * One bar per day, stacked by outcome, with a scale. Below, it shows the values of the day under the pointer, or of the
 * day that the slider chooses. The slider also works with the keyboard and by touch.
 */
class UsageChart extends LitElement {
  static override properties = { days: { attribute: false } };
  /** Thirty days, oldest first. */
  declare days: readonly DayOutcomes[];
  /**
   * Index of the day whose values are shown. Null until the user chooses a day. Until then, the latest day with
   * requests is shown, or the last day.
   */
  #picked: number | null = null;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  get #chosen(): number {
    const latest = this.days.findLastIndex(({ total }) => total > 0);
    return this.#picked ?? (latest === -1 ? DAYS - 1 : latest);
  }

  override render() {
    const { days } = this;
    const totals = days.map(({ total }) => total);
    const most = Math.max(...totals);
    const [first, last, busiest] = [days[0]!.day, days.at(-1)!.day, days[totals.indexOf(most)]!.day];
    const label = say('chart', { first, last, busiest, most: count(most) });
    const end = scaleEnd(most);
    const chosen = days[this.#chosen]!;
    return html`<figure class="chart">
      <div class="plot">
        <div class="scale" aria-hidden="true"><span>${count(end)}</span><span>${count(end / 2)}</span><span>0</span></div>
        <svg role="img" aria-label=${label} viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none">
          ${days.map((_, column) => this.#renderColumn(column))}
          ${[0, HEIGHT / 2, HEIGHT].map((y) => svg`<line x1="0" x2=${WIDTH} y1=${y} y2=${y}></line>`)}
          ${days.map((day, column) => pile(day, column, end))}
        </svg>
        <input type="range" aria-label=${say('day')} min="0" max=${DAYS - 1} .value=${String(this.#chosen)}
          aria-valuetext=${inWords(chosen)} @input=${this.#slide} />
      </div>
      <p class="reading">${inWords(chosen)}</p>
      <figcaption>${OUTCOMES.map((outcome) => html`<span class="key" data-outcome=${outcome}>${say(`outcome_${outcome}`)}</span>`)}</figcaption>
    </figure>`;
  }

  /** Renders the background of a day, which is as high as the chart, so that it is easy to hit. */
  #renderColumn(column: number): TemplateResult<2> {
    return svg`<rect class="column" ?data-chosen=${column === this.#chosen} x=${column * STEP - GAP / 2} y="0" width=${STEP}
      height=${HEIGHT} @pointerenter=${() => this.#choose(column)}></rect>`;
  }

  #slide(event: InputEvent): void {
    this.#choose(Number((event.target as HTMLInputElement).value));
  }

  #choose(column: number): void {
    this.#picked = column;
    this.requestUpdate();
  }
}

function pile(day: DayOutcomes, column: number, end: number): TemplateResult<2>[] {
  let top = HEIGHT;
  return OUTCOMES.map((outcome) => {
    const height = (day[outcome] / end) * HEIGHT;
    top -= height;
    return svg`<rect data-outcome=${outcome} x=${column * STEP} y=${top} width=${STEP - GAP} height=${height}
      pointer-events="none"></rect>`;
  });
}

function inWords(day: DayOutcomes): string {
  const outcomes = OUTCOMES.filter((outcome) => day[outcome] > 0);
  const values = outcomes.map((outcome) => say('numberOf', { n: day[outcome], what: say(`outcome_${outcome}`) }));
  const told = { day: dateOf(Date.parse(`${day.day}T12:00`)), requests: say('requests_n', { n: day.total }) };
  return values.length === 0 ? say('daySum', told) : say('daySumOf', { ...told, outcomes: values.join(', ') });
}

customElements.define('usage-chart', UsageChart);
