export { hashKey, isKey, makeKey } from './api-key.ts';
export { createKey, type Key, noteKeyUse, revokeKey, rotateKey } from './keys.ts';
export { canonicalName } from './name.ts';
export { canonicalOrigin, matchingOrigins, parseOrigin } from './origin.ts';
export { addOrigin, insertOrigin, type Origin, removeOrigin, requireOriginAllowed } from './origins.ts';
export {
  addOwner,
  canonicalPubkey,
  insertOwner,
  isOwner,
  type Owner,
  ownersOf,
  removeOwner,
  requireOwnerNew,
  suspendedClientOf,
} from './owners.ts';
export { canonicalPattern, matchesPattern } from './pattern.ts';
export { newId } from './random-text.ts';
export { addUserAgent, insertUserAgent, removeUserAgent, requirePatternFree, type UserAgent } from './user-agents.ts';
