/** The bounds of the lifetimes of keys, also for rooms that do not use the dashboard's contract. */
export { KEY_DAYS } from '@zoetrope/contract/account';
export { type By, type Changed, change, listAudit, recordAct, registryRevision } from './audit.ts';
export {
  type HeldTable,
  isHeld,
  type ReviewedTable,
  requireClient,
  requireRoom,
  requireRoomFor,
  requireRoomForInvitation,
  requireRoomForOwner,
} from './bounds.ts';
export { addItem, removeItem } from './items.ts';
export { registryMigrations } from './migrations.ts';
export { openRegistry, openSharedRegistry, type Registry } from './open.ts';
export {
  type AuditTable,
  type ClientState,
  type ClientTable,
  type NoticeTable,
  type RegistryTables,
  type ReviewedKind,
  tables,
  type UsageByWayTable,
  type UsageTable,
} from './tables.ts';
