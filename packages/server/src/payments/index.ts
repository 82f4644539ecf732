export { PaymentsConfig } from './config.ts';
export { openPayments } from './open.ts';
export { checkProvider, Payments } from './payments.ts';
export { ordersMigration } from './tables.ts';
