import { isCount } from '../metrics/figures.ts';
import type { RunRecord } from './record.ts';

export type Table = string[][];

/** Returns a table with one row for each part and metric of a set, and one column for each channel. */
export function figureTable(set: string, now: RunRecord, last: RunRecord | undefined): Table {
  const channels = now.runs.filter((run) => run.set === set).map(({ channel }) => channel);
  const lines = new Map<string, { metric: string; questions: number; cells: string[] }>();
  for (const [key, { value, low, high, questions }] of Object.entries(now.figures)) {
    const [name, part, metric, channel] = key.split('/') as [string, string, string, string];
    if (name !== set) continue;
    const line = lines.get(`${part} ${metric}`) ?? { metric, questions, cells: channels.map(() => '-') };
    const before = last?.figures[key];
    const interval = `[${show(low, metric)} ${show(high, metric)}]`;
    line.cells[channels.indexOf(channel as (typeof channels)[number])] =
      `${show(value, metric)} ${interval} (${before ? show(before.value, metric) : 'new'})`;
    lines.set(`${part} ${metric}`, line);
  }
  const rows = [...lines].map(([name, { questions, cells }]) => [name, String(questions), ...cells]);
  return rows.length > 0 ? [[set, 'n', ...channels], ...rows] : [];
}

/** Returns the gates, the figures, and the margins between them. */
export function gateTable({ gates, figures }: RunRecord): Table {
  const rows = gates.map(({ name, demand, aim, margin, interval, status, note }) => {
    const metric = name.split('/')[2]!;
    const figure = status === 'absent' ? undefined : figures[name];
    return [
      name.replaceAll('/', ' '),
      figure ? show(figure.value, metric) : '-',
      demand,
      aim === undefined ? '' : String(aim),
      margin === undefined ? '-' : signed(margin, metric),
      interval === undefined ? '' : `[${signed(interval.low, metric)} ${signed(interval.high, metric)}]`,
      note ? `${status}: ${note}` : status,
    ];
  });
  return [['gate', 'figure', 'demand', 'aim', 'margin', '95 %', 'status'], ...rows];
}

/** Returns the sets without a figure, each with the reason. */
export function gaps({ runs }: RunRecord): string[] {
  return runs
    .filter(({ state }) => state !== 'measured')
    .map(({ set, channel, state, reason }) => `${set} ${channel}: ${state} (${reason})`);
}

export function setsOf({ runs }: RunRecord): string[] {
  return [...new Set(runs.map(({ set }) => set))];
}

/** Returns the summary at the end of a run. */
export function renderText(now: RunRecord, last: RunRecord | undefined): string {
  const tables = setsOf(now).map((set) => align(figureTable(set, now, last)));
  const legend = 'figure [95 % interval] (the last committed run)';
  const parts = [...tables.filter((table) => table !== ''), legend, ...gaps(now), align(gateTable(now))];
  return `${parts.join('\n\n')}\n`;
}

function align(table: Table): string {
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((row) => row[column]!.length)));
  return table
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function show(value: number, metric: string): string {
  return isCount(metric) ? value.toFixed(0) : value.toFixed(3).replace(/^0\./, '.');
}

function signed(value: number, metric: string): string {
  return `${value < 0 ? '-' : '+'}${show(Math.abs(value), metric)}`;
}
