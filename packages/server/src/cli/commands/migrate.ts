import type { Command } from 'commander';
import { loadConfig } from '../../config.ts';
import { type Moved, moveCatalogue } from '../../upkeep/index.ts';
import { type TaskOptions, withProgress } from '../with-progress.ts';

interface Options extends TaskOptions {
  back?: boolean;
  json?: boolean;
}

export function addMigrateCommand(program: Command): void {
  program
    .command('migrate')
    .description('copy the catalogue and the clients from the data folder to PostgreSQL; the service must be stopped')
    .option('--back', 'copy them from PostgreSQL to a data folder without a catalogue')
    .option('--json', 'print the result as JSON')
    .option('--quiet', 'show no progress')
    .action(async ({ back = false, ...options }: Options) => {
      const config = loadConfig(process.env, process.cwd());
      const to = back ? 'folder' : 'postgres';
      const moved = await withProgress(options, (task) => moveCatalogue(config, to, task));
      console.log(options.json ? JSON.stringify(moved) : describe(moved, to, config.s3.endpoint !== ''));
    });
}

function describe({ gifs, rows, clients }: Moved, to: 'postgres' | 'folder', hasBucket: boolean): string {
  const media = hasBucket
    ? 'Then copy the media with zoetrope media push; the service can already run.'
    : 'The data folder keeps the media and the index.';
  return [
    `${gifs} GIFs that can be found were copied, with ${rows} rows in all. Every row was read back and compared.`,
    clients === 'copied'
      ? 'Clients, keys, sessions and orders were copied too.'
      : 'The target has data about clients of its own. It was kept, and clients, keys, sessions and orders were not copied.',
    to === 'postgres'
      ? `Start the service with the same ZOETROPE_DATABASE_URL. ${media}`
      : 'Start the service without ZOETROPE_DATABASE_URL.',
  ].join('\n');
}
