export { openPayments } from './open.ts';
export type { Payments } from './payments.ts';
export { paymentMigrations } from './tables.ts';
export { findUnresolved } from './unresolved.ts';
export { findUnsettled } from './unsettled.ts';
