export { Admission } from './admission.ts';
export { type By, change, listAudit, registryRevision } from './audit.ts';
export { type HeldTable, isHeld } from './bounds.ts';
export { type Caller, type Client, createLookUp, type Identifier, type LookUp } from './callers.ts';
export {
  acceptTerms,
  admitPaid,
  type ClientRecord,
  changeClient,
  createClient,
  type Decision,
  decideClient,
  deleteClient,
  findClient,
  listClients,
  listClientsOf,
  stateOf,
  suspendClient,
} from './clients.ts';
export { RegistryConfig } from './config.ts';
export { createKey, noteKeyUse, revokeKey } from './identifiers/keys.ts';
export { addOrigin, removeOrigin } from './identifiers/origins.ts';
export { addUserAgent, removeUserAgent } from './identifiers/user-agents.ts';
export { KnownCallers } from './known-callers.ts';
export { registryMigrations } from './migrations.ts';
export { openRegistry, openSharedRegistry, type Registry } from './open.ts';
export { addOwner, isOwner, removeOwner, suspendedClientOf } from './owners.ts';
export { type DueProof, findProofs, listDoubtful, noteAnswer, noteProven, takeDueProof } from './proofs.ts';
export {
  approveRequest,
  createRequest,
  findRequest,
  listInvitations,
  listRejections,
  listRequests,
  listReviews,
  noteProof,
  type Rejection,
  type Request,
  rejectRequest,
  withdrawRequest,
} from './requests.ts';
export { searchAudit, searchClients, type WantedAudit } from './search.ts';
export type {
  ReviewedKind,
  UsageTable,
} from './tables.ts';
export { listUsage, recordUsage, UsageTally, type Use } from './usage.ts';
