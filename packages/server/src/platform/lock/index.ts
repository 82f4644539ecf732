export { type Lock, LockTaken, takeLock } from './lock.ts';
export { takeSharedLock } from './shared-lock.ts';
