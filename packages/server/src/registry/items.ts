import { ServiceError } from '../base/errors.ts';
import type { Database } from '../platform/db/index.ts';
import { type By, change } from './audit.ts';
import { requireClient } from './bounds.ts';
import type { AuditTable } from './tables.ts';

/**
 * Adds an item to a client. @param insert checks and inserts the item, within the change
 * @throws ServiceError `not_found` for the client, and the errors of `insert`
 */
export function addItem<Item>(
  db: Database,
  by: By,
  entry: Pick<AuditTable, 'action' | 'clientId' | 'subject'>,
  insert: (trx: Database) => Promise<Item>,
): Promise<Item> {
  return change(db, by, async (trx) => {
    await requireClient(trx, entry.clientId);
    return { ...entry, result: await insert(trx) };
  });
}

/**
 * Removes an item from its client. @param remove deletes the item, within the change, and returns the fields for the
 * audit entry
 * @throws ServiceError `not_found`, and the errors of `remove`
 */
export function removeItem(
  db: Database,
  by: By,
  { id, kind, action }: { id: string; kind: string; action: string },
  remove: (trx: Database) => Promise<Pick<AuditTable, 'clientId' | 'subject'> | undefined>,
): Promise<void> {
  return change(db, by, async (trx) => {
    const removed = await remove(trx);
    if (removed === undefined) throw new ServiceError('not_found', `No ${kind} has the id ${id.slice(0, 100)}`);
    return { action, ...removed, result: undefined };
  });
}
