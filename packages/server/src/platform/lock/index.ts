export { type Lock, LockTaken, takeLock } from './lock.ts';
