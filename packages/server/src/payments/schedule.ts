const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** Times of an order, in milliseconds since the Unix epoch. */
interface Watched {
  readonly createdAt: number;
  readonly expiresAt: number;
}

/**
 * Returns the milliseconds between two look-ups of an order. Look-ups run every 2 s for a minute, every 5 s until the
 * order expires, every minute for ten more minutes, then hourly. Look-ups become rarer, because some wallets limit
 * calls, and most invoices are paid immediately or never.
 */
export function lookInterval({ createdAt, expiresAt }: Watched, now: number): number {
  if (now < createdAt + MINUTE) return 2 * SECOND;
  if (now < expiresAt) return 5 * SECOND;
  if (now < expiresAt + 10 * MINUTE) return MINUTE;
  return 60 * MINUTE;
}
