import type { Counted } from '../base/metrics.ts';
import type { Client, Use } from '../registry/index.ts';
import type { HttpContext } from './context.ts';

interface CountedAnswer extends Pick<Counted, 'operation' | 'outcome' | 'milliseconds'> {
  client: Client;
  /** What its client sees of it. */
  use: Use;
  /** Milliseconds since the Unix epoch. */
  now: number;
}

/** Counts an answer for the operator, and for its client. */
export function countAnswer(
  { metrics, countUse }: Pick<HttpContext, 'metrics' | 'countUse'>,
  { operation, client, outcome, milliseconds, use, now }: CountedAnswer,
): void {
  const { id, isDevelopment } = client;
  metrics.count({ operation, client: isDevelopment ? 'development' : 'registered', outcome, milliseconds });
  if (!isDevelopment) countUse(id, operation, use, now);
}
