export { readAdmins } from './admins.ts';
export { AccountConfig } from './config.ts';
export type { AccountContext } from './context.ts';
export { registerDashboard } from './dashboard.ts';
export { askDomain } from './nip05.ts';
export type { Payments } from './payments.ts';
export { keepCheckingProofs } from './proof-check.ts';
export { accountMigration, proofsMigration, termsMigration } from './tables.ts';
