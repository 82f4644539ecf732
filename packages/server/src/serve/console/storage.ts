import type { BackupList, BuildList, Overview } from '@zoetrope/contract/account';
import { listBuilds } from '../../builds/index.ts';
import { listBackups } from '../../history/index.ts';
import { findNodes } from '../../platform/nodes/index.ts';
import { revision } from '../../records/index.ts';
import type { Service } from '../../service/index.ts';

/** Returns the builds on the disk of this machine, and the machines that serve each of them. */
export async function readBuilds({ store, cluster }: Pick<Service, 'store' | 'cluster'>): Promise<BuildList> {
  if (cluster !== undefined) return { builds: [], others: [], isInCluster: true };
  const now = await revision(store.db);
  const builds = await listBuilds(store.builds);
  const serving = (await findNodes(store.db)).flatMap(({ machine, build }) =>
    build === null ? [] : [{ machine, build }],
  );
  return {
    builds: builds.map((listed) => ({
      ...listed,
      behind: now - listed.revision,
      servedBy: serving.filter(({ build }) => build === listed.build).map(({ machine }) => machine),
    })),
    others: serving.filter(({ build }) => builds.every((listed) => listed.build !== build)),
    isInCluster: false,
  };
}

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
