export { type Lock, LockTaken, type OwnLock, takeLock } from './lock.ts';
export { findSharedLocks, takeSharedLock } from './shared-lock.ts';
export { ifFree, whenFree } from './turns.ts';
