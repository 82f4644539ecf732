export { type Lock, LockTaken, type OwnLock, takeLock } from './lock.ts';
export { findSharedLocks, takeSharedLock } from './shared-lock.ts';
