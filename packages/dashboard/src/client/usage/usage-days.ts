import type { Usage, UsageDay, UsageWay } from '@zoetrope/contract/account';

/** Number of days shown. The service stores no more. */
export const DAYS = 30;
const DAY_MS = 86_400_000;

/** The possible outcomes of a request, in the order in which charts stack them. */
export const OUTCOMES = ['computed', 'cached', 'refused', 'limited'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** The requests of one day, by outcome. */
export type DayOutcomes = Record<Outcome | 'total', number> & { day: string };

/**
 * Returns the last 30 days up to today or the latest counted day, oldest first, with the sums of all operations. Days
 * without requests are included.
 * @param now milliseconds since the Unix epoch
 */
export function dailyOutcomes(days: readonly UsageDay[], now: number): DayOutcomes[] {
  const latest = Math.max(now - (now % DAY_MS), ...days.map(({ day }) => Date.parse(day)));
  const names = Array.from({ length: DAYS }, (_, n) => dayOf(latest - (DAYS - 1 - n) * DAY_MS));
  return names.map((name) => {
    const { requests, kept, refused, limited } = sumCounts(days.filter(({ day }) => day === name));
    return {
      day: name,
      total: requests,
      computed: requests - kept - refused - limited,
      cached: kept,
      refused,
      limited,
    };
  });
}

/** Returns the end of a scale that contains `most`: 1, 2 or 5 times a power of ten, and at least 2. */
export function scaleEnd(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(most, 2)));
  return [1, 2, 5, 10].map((factor) => factor * power).find((end) => end >= Math.max(most, 2))!;
}

const COUNTS = ['requests', 'kept', 'refused', 'limited'] as const;
/** A number of requests, by outcome. */
export type Counts = Record<(typeof COUNTS)[number], number>;

/**
 * The requests of one origin, key or User-Agent. If `way` is undefined, it is unknown how they identified the client.
 */
export interface WayCounts extends Counts {
  way: Pick<UsageWay, 'wayId' | 'kind' | 'name'> | undefined;
}

/** Returns the sums of the counts. */
export function sumCounts(rows: readonly Counts[]): Counts {
  const sum = (field: keyof Counts) => rows.reduce((all, row) => all + row[field], 0);
  return { requests: sum('requests'), kept: sum('kept'), refused: sum('refused'), limited: sum('limited') };
}

/** Returns the counts of the latest `count` days that charts show, up to today. */
export function latestDays({ days, ways }: Usage, count: number, now: number): Usage {
  const first = dailyOutcomes(days, now).at(-count)!.day;
  return { days: days.filter(({ day }) => day >= first), ways: ways.filter(({ day }) => day >= first) };
}

/**
 * Returns the sums for each origin, key and User-Agent, the busiest first. If there are requests without a known
 * identifier, they come last.
 */
export function sumWays({ days, ways }: Usage): WayCounts[] {
  const latest = new Map(ways.toReversed().map((way) => [way.wayId, way]));
  const sums = [...latest.values()].map((way) => ({
    way,
    ...sumCounts(ways.filter(({ wayId }) => wayId === way.wayId)),
  }));
  const rest = minus(sumCounts(days), sumCounts(ways));
  const known = sums.toSorted((a, b) => b.requests - a.requests);
  return rest.requests > 0 ? [...known, { way: undefined, ...rest }] : known;
}

/**
 * Returns the counts as CSV, latest day first, one row for each day, operation and identifier. The identifier is empty
 * in rows with requests whose identifier is unknown.
 */
export function usageCsv({ days, ways }: Usage): string {
  const rows = days.flatMap((of) => {
    const known = ways.filter(({ day, operation }) => day === of.day && operation === of.operation);
    const rest = minus(of, sumCounts(known));
    return [
      ...known.map((row) => csvRow(of, [row.kind, row.name, row.wayId], row)),
      ...(rest.requests > 0 ? [csvRow(of, ['', '', ''], rest)] : []),
    ];
  });
  return ['day,operation,kind,name,id,requests,cached,refused,over_limit', ...rows, ''].join('\r\n');
}

function csvRow({ day, operation }: UsageDay, way: readonly string[], counts: Counts): string {
  return [day, operation, ...way.map(quoted), ...COUNTS.map((field) => counts[field])].join(',');
}

/** Quotes text for CSV. A spreadsheet would run a name that starts like a formula. */
function quoted(text: string): string {
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

/**
 * Returns the counts minus a part of them. The counts and the part are saved one after the other, so the part can be
 * larger for a moment.
 */
function minus(all: Counts, part: Counts): Counts {
  const left = (field: keyof Counts) => Math.max(0, all[field] - part[field]);
  return { requests: left('requests'), kept: left('kept'), refused: left('refused'), limited: left('limited') };
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
