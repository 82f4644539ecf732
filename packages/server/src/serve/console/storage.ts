import type { BackupList, Overview } from '@zoetrope/contract/account';
import { listBackups } from '../../history/index.ts';
import type { Service } from '../../service/index.ts';

/** Returns the backups that were made, and the attempts that failed, latest first. */
export async function readBackups({ store }: Pick<Service, 'store'>): Promise<BackupList['backups']> {
  return (await listBackups(store.db)).map((row) => ({ ...row, made: row.made === 1 }));
}

/** Returns when the last backup was made, and why the last attempt failed. */
export function summaryOfBackups(backups: BackupList['backups']): Overview['backups'] {
  const [last] = backups;
  return {
    lastAt: backups.find(({ made }) => made)?.at ?? null,
    problem: last === undefined || last.made ? '' : last.problem,
  };
}
