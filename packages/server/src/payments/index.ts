export { openPayments } from './open.ts';
export type { Payments } from './payments.ts';
export { ordersMigration, reservationsMigration } from './tables.ts';
export { findUnsettled } from './unsettled.ts';
