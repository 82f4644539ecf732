import type { Finding } from './protocol.ts';
import type { Tally } from './schedule.ts';

const PROGRESS_MS = 2_000;
/** Maximum number of results in a row of the table, the most frequent first. All kinds of 503 are shown in addition. */
const RESULTS = 6;
const CLEAR_LINE = '\r\x1b[K';

/** Prints findings when they arrive. On a terminal, also prints the progress. */
export class Printer {
  readonly #seed: string;
  readonly #known = new Set<string>();
  readonly #timer: NodeJS.Timeout | undefined;

  constructor(seed: string, tallies: readonly Tally[]) {
    this.#seed = seed;
    const start = performance.now();
    const show = () => process.stderr.write(CLEAR_LINE + progressLine(tallies, performance.now() - start));
    if (process.stderr.isTTY) this.#timer = setInterval(show, PROGRESS_MS);
  }

  /** Prints findings. If findings differ only in numbers, prints only the first of them. */
  print(findings: readonly Finding[]): void {
    for (const { target, from, count, what, input } of findings) {
      const kind = `${target} ${what.split('\n').slice(0, 2).join(' ').replace(/\d+/g, '0')}`;
      if (this.#known.has(kind)) continue;
      this.#known.add(kind);
      this.#clear();
      const inputs = count === 1 ? `${target}:${from}` : `${target}:${from}-${from + count - 1}`;
      console.log(`${inputs}: ${what}`);
      if (input !== '') console.log(`  input: ${input}`);
      console.log(`  again: npm run fuzz -- --seed ${this.#seed} --only ${inputs}\n`);
    }
  }

  close(): void {
    clearInterval(this.#timer);
    this.#clear();
  }

  #clear(): void {
    if (process.stderr.isTTY) process.stderr.write(CLEAR_LINE);
  }
}

function progressLine(tallies: readonly Tally[], ms: number): string {
  const found = sum(tallies.map(({ findings }) => findings));
  const inputs = tallies.map(({ name, inputs }) => `${name} ${inputs}`).join(', ');
  return `${Math.round(ms / 1_000)} s, ${found} findings: ${inputs}`.slice(0, process.stderr.columns - 1);
}

/** Returns the table of results in Markdown. */
export function tableOf(tallies: readonly Tally[]): string {
  const rows = tallies.map((tally) => {
    const { name, inputs, findings, ms } = tally;
    return [name, inputs, Math.round((1_000 * inputs) / Math.max(1, ms)), findings, resultsOf(tally)];
  });
  const [inputs, findings] = [sum(tallies.map((tally) => tally.inputs)), sum(tallies.map((tally) => tally.findings))];
  const head = ['target', 'inputs', 'per second', 'findings', 'results'];
  const lines = [head, head.map(() => '---'), ...rows, ['all', inputs, '', findings, '']];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function resultsOf({ outcomes }: Tally): string {
  const sorted = [...outcomes].toSorted(([, a], [, b]) => b - a);
  const all = sum(sorted.map(([, count]) => count));
  const isShown = ([outcome]: [string, number], n: number) => n < RESULTS || outcome.startsWith('503');
  const words = sorted.filter(isShown).map(([outcome, count]) => `${outcome} ${percent(count / all)}`);
  const others = sorted.length - words.length;
  return [...words, ...(others === 0 ? [] : [`${others} others`])].join(', ');
}

function percent(share: number): string {
  return share < 0.01 ? '< 1 %' : `${Math.round(100 * share)} %`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, number) => all + number, 0);
}
