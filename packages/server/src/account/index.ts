export type {
  Authorisation,
  Console,
  NewUpload,
  UnwantedFile,
  WantedList,
  WantedMirror,
} from './console/console.ts';
export { requireType } from './console/uploads.ts';
export type { AccountContext } from './context.ts';
export { registerDashboard } from './dashboard.ts';
export type { Payments } from './payments.ts';
export { askDomain } from './proofs/nip05.ts';
export { keepCheckingProofs } from './proofs/proof-check.ts';
export { readAdmins, readMembers } from './sign-in/admins.ts';
export { readPubkey, toNpub } from './sign-in/npub.ts';
export { newOperatorCode, noCode, OperatorCode } from './sign-in/operator-code.ts';
export {
  addFirstOperator,
  addOperator,
  hasOperatorAlready,
  hasOperators,
  listOperators,
  removeOperator,
} from './sign-in/operators.ts';
export { accountMigrations } from './tables.ts';
