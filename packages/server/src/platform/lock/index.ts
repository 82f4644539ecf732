export { type Lock, LockTaken, type OwnLock, takeLock } from './lock.ts';
export { takeSharedLock } from './shared-lock.ts';
