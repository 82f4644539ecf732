import path from 'node:path';
import type { Command } from 'commander';
import { counted } from '../../../base/plain-text.ts';
import { type Config, loadConfig } from '../../../config.ts';
import { type BackupResult, backUpAndNote, checkBackup, type RestoreResult, restore } from '../../../upkeep/index.ts';
import { listItems, print, toJson } from '../../print.ts';
import { type TaskOptions, withProgress } from '../../with-progress.ts';

interface Options extends TaskOptions {
  all?: boolean;
  /** False with --no-media. */
  media?: boolean;
  json?: boolean;
}

export function addBackupCommands(program: Command, exit: (code: number) => void): void {
  program
    .command('backup')
    .description('copy everything that cannot be made again; the service can keep running')
    .argument('<folder>', 'a new or empty folder for the copy')
    .option('--all', 'also copy previews and videos, which can be made again')
    .option('--no-media', 'leave out all media, for example if the S3 bucket with them has its own backups')
    .option('--json', 'print the result as JSON')
    .option('--quiet', 'show no progress')
    .action(async (folder: string, { all = false, media: hasMedia = true, ...options }: Options) => {
      const config = loadConfig(process.env, process.cwd());
      const media = hasMedia ? (all ? 'all' : 'originals') : 'none';
      const result = await withProgress(options, (task) =>
        backUpAndNote(config, path.resolve(folder), { media, ...task }),
      );
      print(options.json ? toJson(result) : summarise(result, 'were backed up'));
      exit(result.damaged.length === 0 ? 0 : 1);
    });
  program
    .command('restore')
    .description('restore a backup into an empty data folder, and its media into the S3 bucket if there is one')
    .argument('<folder>', 'the folder of the backup')
    .option('--check', 'check the backup, and restore nothing')
    .option('--json', 'print the result as JSON')
    .option('--quiet', 'show no progress')
    .action(async (folder: string, { check = false, ...options }: Options & { check?: boolean }) => {
      if (check) return exit(await showCheck(path.resolve(folder), options));
      const config = loadConfig(process.env, process.cwd());
      const result = await withProgress(options, (task) => restore(config, path.resolve(folder), task));
      print(options.json ? toJson(result) : describe(result, config));
      exit(result.damaged.length + result.lost.length === 0 ? 0 : 1);
    });
}

/** Checks a backup. @returns the exit code */
async function showCheck(folder: string, options: Options): Promise<number> {
  const result = await withProgress(options, (task) => checkBackup(folder, task));
  print(options.json ? toJson(result) : describeCheck(folder, result));
  return result.damaged.length + result.lost.length === 0 ? 0 : 1;
}

function describeCheck(
  folder: string,
  { at, gifs, files, bytes, build, damaged, lost }: Awaited<ReturnType<typeof checkBackup>>,
): string {
  const verdict = damaged.length + lost.length === 0 ? 'is complete and intact' : 'is not intact';
  return [
    `The backup in ${folder} of ${new Date(at).toISOString()} ${verdict}: ${counted(gifs, 'GIF')}, ${counted(files, 'media file')} (${(bytes / 1e6).toFixed(1)} MB), ${build === null ? 'without a build' : `with build ${build}`}.`,
    ...list(
      'are damaged',
      damaged.map(({ key, damage }) => `${key}: ${damage}`),
    ),
    ...list('have no original in the backup', lost),
  ].join('\n');
}

function summarise({ gifs, copied, bytes, build, damaged, missing }: BackupResult, where: string): string {
  return [
    `${counted(gifs, 'GIF')} ${where}, ${build === null ? 'without a build' : `with build ${build}`}; ${copied} media files (${(bytes / 1e6).toFixed(1)} MB) were copied.`,
    ...missing.map((what) => `Not included: ${what}.`),
    ...list(
      'are damaged and were not copied',
      damaged.map(({ key, damage }) => `${key}: ${damage}`),
    ),
  ].join('\n');
}

function describe({ lost, ...result }: RestoreResult, { registry }: Config): string {
  const next =
    registry.databaseUrl === ''
      ? 'Start the service. It finishes the work that was in progress at the time of the backup.'
      : 'A service uses the catalogue in PostgreSQL, because ZOETROPE_DATABASE_URL is set. To use the restored catalogue, start the service without this variable, or move the restored catalogue into an empty database with zoetrope migrate.';
  return [
    summarise(result, 'were restored'),
    ...list('have no original in the backup. Add their files again', lost),
    next,
  ].join('\n');
}

function list(what: string, items: string[]): string[] {
  return items.length === 0 ? [] : [`${items.length} ${what}:`, ...listItems(items)];
}
