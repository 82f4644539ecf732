/** What is counted, all threads together. */
const COUNTERS = {
  search: ['zoetrope_answers_total', '{operation="search"}', 'Answers given, kept ones too'],
  suggest: ['zoetrope_answers_total', '{operation="suggest"}', ''],
  similar: ['zoetrope_answers_total', '{operation="similar"}', ''],
  kept: ['zoetrope_answers_kept_total', '', 'Answers that had been made before'],
  degraded: ['zoetrope_answers_degraded_total', '', 'Searches that had to go without meaning'],
} as const;

type CounterName = keyof typeof COUNTERS;
const NAMES = Object.keys(COUNTERS) as CounterName[];

/** Counters in memory that all threads share. They count answers, and never say anything of who asked or what for. */
export class Metrics {
  readonly memory: SharedArrayBuffer;
  readonly #counts: BigUint64Array;

  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(8 * NAMES.length)) {
    this.memory = memory;
    this.#counts = new BigUint64Array(memory);
  }

  count(name: CounterName): void {
    Atomics.add(this.#counts, NAMES.indexOf(name), 1n);
  }

  /** As Prometheus reads it (exposition format 0.0.4). */
  text(): string {
    return NAMES.map((name, i) => {
      const [metric, labels, help] = COUNTERS[name];
      const head = help === '' ? '' : `# HELP ${metric} ${help}\n# TYPE ${metric} counter\n`;
      return `${head}${metric}${labels} ${Atomics.load(this.#counts, i)}\n`;
    }).join('');
  }
}
