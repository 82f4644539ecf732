/** One number of a metric. */
export interface Sample {
  value: number;
  /** Labels that distinguish this number from the metric's other numbers. */
  labels?: Readonly<Record<string, string>>;
  /** Suffix of the number's name, such as `_sum` of a histogram. */
  suffix?: string;
}

/** Returns a metric in Prometheus format (text exposition format 0.0.4), ending in a newline. */
export function metric(
  name: string,
  type: 'counter' | 'gauge' | 'histogram',
  help: string,
  samples: Iterable<Sample>,
): string {
  const lines = Array.from(samples, ({ value, labels = {}, suffix = '' }) => {
    return `${name}${suffix}${labelsOf(labels)} ${value}\n`;
  });
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

function labelsOf(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${escaped(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
