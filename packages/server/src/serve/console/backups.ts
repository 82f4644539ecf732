import path from 'node:path';
import type { BackupList } from '@zoetrope/contract/account';
import type { Console } from '../../account/index.ts';
import { systemClock } from '../../base/clock.ts';
import { ServiceError } from '../../base/errors.ts';
import { listBackups } from '../../history/index.ts';
import { recordAct } from '../../registry/index.ts';
import { describeEnd, type Ended, isDead, type Service } from '../../service/index.ts';
import { noteDeadBackup } from '../../upkeep/index.ts';
import { OneCommand } from './one-command.ts';

/** Returns the functions that list backups and make one. @param stopping ends a backup when the service stops */
export function createBackups(service: Service, stopping: AbortSignal): Pick<Console, 'backups' | 'makeBackup'> {
  const { config, registry, log } = service;
  const command = new OneCommand(stopping, log);
  const folder = config.account.backups === '' ? '' : path.resolve(config.account.backups);
  const backups = async () => ({ backups: await readBackups(service), folder, running: command.running });

  async function noteEnd(target: string, end: Ended): Promise<void> {
    if (!isDead(end) || stopping.aborted) return;
    await noteDeadBackup(config, target, `the process ${describeEnd(end)}`).catch((error) => {
      log.error({ err: error }, `the backup in ${target} failed, and this could not be recorded`);
    });
  }

  return {
    backups,
    async makeBackup(by) {
      if (folder === '') {
        const message = 'There is no folder for backups. Set ZOETROPE_BACKUPS to a folder, best on another disk';
        throw new ServiceError('validation', message);
      }
      await registry.ready();
      const target = path.join(folder, nameOf(systemClock.now()));
      command.start(target, ['backup', target], (end) => noteEnd(target, end));
      await recordAct(registry.db, by, { action: 'backup make', subject: target });
      return backups();
    },
  };
}

/** Returns the name of the folder of a backup, such as 2026-01-31-235959. */
function nameOf(now: number): string {
  return new Date(now).toISOString().slice(0, 19).replace('T', '-').replaceAll(':', '');
}

/** Returns the backups that were made, and the attempts that failed, latest first. */
export async function readBackups({ store }: Pick<Service, 'store'>): Promise<BackupList['backups']> {
  return (await listBackups(store.db)).map((row) => ({ ...row, made: row.made === 1 }));
}

/** Returns when the last backup was made, and why the last attempt failed. */
export function summaryOfBackups(backups: BackupList['backups']) {
  const [last] = backups;
  return {
    lastAt: backups.find(({ made }) => made)?.at ?? null,
    problem: last === undefined || last.made ? '' : last.problem,
  };
}
