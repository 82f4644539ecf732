import type { UsageDay } from '@zoetrope/contract/account';
import { html, svg, type TemplateResult } from 'lit';
import { count } from '../words.ts';

const OPERATIONS = ['search', 'suggest', 'similar'] as const;
const WIDTH = 600;
const HEIGHT = 160;
const GAP = 4;
/** Number of days shown. */
const DAYS = 30;
const DAY_MS = 86_400_000;

/** Renders one bar per day, stacked by operation. The table below the chart shows the same numbers. */
export function usageChart(days: readonly UsageDay[]): TemplateResult {
  const shown = lastDays(days);
  const totals = shown.map((day) => totalOf(days, day));
  const most = Math.max(1, ...totals);
  const busiest = shown[totals.indexOf(most)] ?? shown.at(-1)!;
  const label = `Requests per day from ${shown[0]} to ${shown.at(-1)}, highest on ${busiest}: ${count(most)}`;
  return html`<figure class="chart">
    <svg role="img" aria-label=${label} viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none">
      ${shown.map((day, column) => pile(days, day, { column, most }))}
    </svg>
    <figcaption>
      ${OPERATIONS.map((operation) => html`<span class="key" data-operation=${operation}>${operation}</span>`)}
      <span class="muted">${shown[0]} to ${shown.at(-1)}, at most ${count(most)} per day</span>
    </figcaption>
  </figure>`;
}

function pile(days: readonly UsageDay[], day: string, { column, most }: { column: number; most: number }) {
  const step = WIDTH / DAYS;
  let top = HEIGHT;
  return OPERATIONS.map((operation) => {
    const requests = days.find((row) => row.day === day && row.operation === operation)?.requests ?? 0;
    const height = (requests / most) * HEIGHT;
    top -= height;
    return svg`<rect data-operation=${operation} x=${column * step} y=${top} width=${step - GAP} height=${height}></rect>`;
  });
}

function totalOf(days: readonly UsageDay[], day: string): number {
  return days.filter((row) => row.day === day).reduce((total, { requests }) => total + requests, 0);
}

/** Returns the last DAYS days up to the latest day with data. Days without requests are included. */
function lastDays(days: readonly UsageDay[]): string[] {
  const latest = Date.parse(
    days
      .map(({ day }) => day)
      .toSorted()
      .at(-1)!,
  );
  return Array.from({ length: DAYS }, (_, n) => new Date(latest - (DAYS - 1 - n) * DAY_MS).toISOString().slice(0, 10));
}
