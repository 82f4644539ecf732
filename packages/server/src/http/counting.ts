import type { Counted } from '../metrics.ts';
import type { Client, Use } from '../registry/index.ts';
import type { HttpContext } from './context.ts';

interface CountedAnswer extends Pick<Counted, 'operation' | 'outcome'> {
  client: Client;
  /** When its request was read, by `performance.now()`. */
  start: number;
  /** What its client sees of it. */
  use: Use;
}

/** Counts an answer for the operator, and for its client. */
export function countAnswer(
  { metrics, countUse }: Pick<HttpContext, 'metrics' | 'countUse'>,
  { operation, client, outcome, start, use }: CountedAnswer,
): void {
  const { id, isDevelopment } = client;
  const milliseconds = performance.now() - start;
  metrics.count({ operation, client: isDevelopment ? 'development' : 'registered', outcome, milliseconds });
  if (!isDevelopment) countUse(id, operation, use);
}
