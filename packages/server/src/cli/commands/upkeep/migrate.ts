import path from 'node:path';
import type { Command } from 'commander';
import { type Config, loadConfig } from '../../../config.ts';
import { cancelMove, type Moved, moveCatalogue, type Side } from '../../../upkeep/index.ts';
import { print, toJson } from '../../print.ts';
import { sayWaiting } from '../../say-waiting.ts';
import { type TaskOptions, withProgress } from '../../with-progress.ts';

interface Options extends TaskOptions {
  back?: boolean;
  cancel?: boolean;
  json?: boolean;
}

export function addMigrateCommand(program: Command): void {
  program
    .command('migrate')
    .description(
      'copy the catalogue and the clients from the data folder to PostgreSQL (ZOETROPE_DATABASE_URL); the service can keep running, but the original cannot be changed from then on',
    )
    .option('--back', 'copy them from PostgreSQL to a data folder without a catalogue')
    .option('--cancel', 'discard the copy, and allow changes to the original again')
    .option('--json', 'print the result as JSON')
    .option('--quiet', 'show no progress')
    .action(async ({ back = false, cancel = false, ...options }: Options) => {
      const config = loadConfig(process.env, process.cwd());
      const to = back ? 'folder' : 'postgres';
      if (cancel) {
        await cancelMove(config, to);
        print('The catalogue can be changed again. It has not changed since it was copied; the copy still exists.');
        return;
      }
      const moved = await withProgress(options, (task) => moveCatalogue(config, to, { ...task, onWait: sayWaiting }));
      print(options.json ? toJson(moved) : describe(moved, to, config));
    });
}

function describe({ gifs, rows, clients }: Moved, to: Side, { service, s3 }: Config): string {
  const folder = path.resolve(service.data);
  const hasBucket = s3.endpoint !== '';
  const lines = [
    `${gifs} GIFs that can be found were copied, with ${rows} rows in all. Every row was read back and compared.`,
    clients === 'copied'
      ? 'Clients, keys, sessions and orders were copied too.'
      : 'The target already has clients. These were kept; the clients, keys, sessions and orders of the original were not copied.',
  ];
  if (to === 'postgres') {
    lines.push(
      'Restart the service now, with ZOETROPE_DATABASE_URL. Until then, it answers searches but refuses changes.',
      hasBucket
        ? 'If the bucket lacks media, run zoetrope media push; the service can already run.'
        : 'The data folder keeps the media and the index.',
    );
  } else {
    lines.push(
      ...(hasBucket ? [] : [`First move the folder media from the service's data folder to ${folder}.`]),
      `${hasBucket ? 'Restart' : 'Then restart'} the service with ZOETROPE_DATA=${folder} and without ZOETROPE_DATABASE_URL.`,
      'Until the restart, the service answers searches but refuses changes.',
    );
  }
  return lines.join('\n');
}
