export { type BackupRow, listBackups, recordBackup } from './backups.ts';
export { readHistory } from './read.ts';
export { countsSince, recordHistory } from './record.ts';
export { historyMigrations } from './tables.ts';
