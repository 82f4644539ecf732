export { type Lock, takeLock } from './lock.ts';
