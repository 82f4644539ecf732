export { Admission } from './admission.ts';
export { type By, change, listAudit, registryRevision } from './audit.ts';
export { type Caller, type Client, createLookUp, type LookUp } from './callers.ts';
export {
  type ClientRecord,
  createClient,
  type Decision,
  decideClient,
  deleteClient,
  findClient,
  listClients,
} from './clients.ts';
export { RegistryConfig } from './config.ts';
export type { Identifier } from './identify.ts';
export { createKey, revokeKey } from './keys.ts';
export { openRegistry, openSharedRegistry, type Registry } from './open.ts';
export { addOrigin, removeOrigin } from './origins.ts';
export { addOwner, removeOwner } from './owners.ts';
export { approveRequest, createRequest, listRequests, rejectRequest } from './requests.ts';
export { type ReviewedKind, registryMigration } from './tables.ts';
export { addUserAgent, removeUserAgent } from './user-agents.ts';
