import { ifFree, type Lock, whenFree } from '../platform/lock/index.ts';
import { type Service, takeNextPlace, takeWorkLock } from '../service/index.ts';
import type { Task } from './workshop.ts';

/**
 * Takes the lock of this data folder's writer. A task that waits for this lock also takes the lock of the next writer,
 * so that work for which nobody waits gives way to the task.
 * @throws LockTaken if another process holds the lock and the task does not wait
 */
export async function takeTurn(
  { store }: Pick<Service, 'store'>,
  { signal, onWait }: Pick<Task, 'signal' | 'onWait'>,
  take: () => Lock | Promise<Lock> = () => takeWorkLock(store, 'writer'),
): Promise<Lock> {
  if (onWait === undefined) return take();
  const free = await ifFree(async () => take());
  if (free !== undefined) return free;
  const place = await whenFree(() => takeNextPlace(store), { signal });
  try {
    return await whenFree(take, { signal, onWait });
  } finally {
    await place.release();
  }
}
