import { createHash } from 'node:crypto';
import type { Migration } from 'kysely/migration';

/** The migrations that make a database's tables, keyed by name. */
export type Tables = Readonly<Record<string, Migration>>;

/**
 * Returns a name for the template with these tables. The name contains a hash, because tests use the same numbers for
 * different migrations.
 */
export function nameOf(tables: Tables): string {
  const hash = createHash('sha256');
  for (const [name, { up }] of Object.entries(tables)) hash.update(`${name} ${up}\n`);
  return `template_${hash.digest('hex').slice(0, 16)}`;
}
