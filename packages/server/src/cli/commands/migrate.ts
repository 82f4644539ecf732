import type { Command } from 'commander';
import { loadConfig } from '../../config.ts';
import { cancelMove, type Moved, moveCatalogue, type Side } from '../../upkeep/index.ts';
import { sayWaiting } from '../say-waiting.ts';
import { type TaskOptions, withProgress } from '../with-progress.ts';

interface Options extends TaskOptions {
  back?: boolean;
  cancel?: boolean;
  json?: boolean;
}

export function addMigrateCommand(program: Command): void {
  program
    .command('migrate')
    .description('copy the catalogue and the clients from the data folder to PostgreSQL; the service can run')
    .option('--back', 'copy them from PostgreSQL to a data folder without a catalogue')
    .option('--cancel', 'do not use an earlier copy: let the catalogue that was copied be changed again')
    .option('--json', 'print the result as JSON')
    .option('--quiet', 'show no progress')
    .action(async ({ back = false, cancel = false, ...options }: Options) => {
      const config = loadConfig(process.env, process.cwd());
      const to = back ? 'folder' : 'postgres';
      if (cancel) {
        await cancelMove(config, to);
        console.log('The catalogue that was copied can be changed again.');
        return;
      }
      const moved = await withProgress(options, (task) => moveCatalogue(config, to, { ...task, onWait: sayWaiting }));
      console.log(options.json ? JSON.stringify(moved) : describe(moved, to, config.s3.endpoint !== ''));
    });
}

function describe({ gifs, rows, clients }: Moved, to: Side, hasBucket: boolean): string {
  const [source, setting] = to === 'postgres' ? ['data folder', 'with'] : ['PostgreSQL database', 'without'];
  const lines = [
    `${gifs} GIFs that can be found were copied, with ${rows} rows in all. Every row was read back and compared.`,
    clients === 'copied'
      ? 'Clients, keys, sessions and orders were copied too.'
      : 'The target has data about clients of its own. It was kept, and clients, keys, sessions and orders were not copied.',
    `Restart the service now, ${setting} ZOETROPE_DATABASE_URL. Until then, it answers searches but refuses changes, because`,
    `the catalogue in the ${source} can no longer be changed. To go on with that one instead, add --cancel to this command.`,
  ];
  if (to === 'postgres') {
    lines.push(
      hasBucket
        ? 'Then copy the media with zoetrope media push; the service can already run.'
        : 'The data folder keeps the media and the index.',
    );
  }
  return lines.join('\n');
}
