export {
  type AuthorServers,
  askedAbout,
  forgetServers,
  saveServers,
  serversOf,
} from './author-servers.ts';
export { RelayConnection, RelayError, type RelayPage } from './connection.ts';
export { type EventRefusal, isFromTheFuture, type RelayEvent, readEvent } from './event.ts';
export { comparesSets } from './information.ts';
export { relayMigrations } from './migrations.ts';
export { readBackwards, type Span, type Stretch } from './pages.ts';
export { readSecretKey } from './secret-key.ts';
export {
  addedRelays,
  addRelay,
  countEvents,
  eventsSeen,
  findLists,
  findProgress,
  forgetEvents,
  noteRelayState,
  type Progress,
  type RelayReport,
  rememberEvents,
  removeRelay,
  reportRelays,
  type StreamKey,
  saveLists,
  saveProgress,
  seenEvents,
} from './state.ts';
export { addUsage, endOfDay, usageOf } from './usage.ts';
export { createVerifier, type Verifier } from './verifier.ts';
