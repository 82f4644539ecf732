import { type Command, InvalidArgumentError } from 'commander';
import { findImport, type Import, pageOfImports } from '../../ingest/index.ts';
import { print, toJson } from '../print.ts';
import { printable } from '../summary.ts';
import { withService } from '../with-service.ts';

interface Options {
  json?: boolean;
  before?: number;
}

/**
 * Adds the commands for imports and their results.
 * @param add runs `zoetrope add` with these arguments
 */
export function addJobCommands(program: Command, add: (command: readonly string[]) => Promise<unknown>): void {
  const jobs = program.command('jobs').description('show earlier runs of zoetrope add: what was refused, and why');
  jobs
    .command('list', { isDefault: true })
    .description('list the latest 50 runs')
    .option('--before <number>', 'list the runs before this one', readNumber)
    .option('--json', 'print the result as JSON')
    .action(({ json, before = 0 }: Options) =>
      withService(async ({ store }) => {
        const page = await pageOfImports(store.db, before);
        print(json ? toJson(page) : page.map(describe).join('\n') || 'Nothing has been added yet.');
      }),
    );
  jobs
    .command('show')
    .description('show one run with each refused file and the reason')
    .argument('<number>', 'number of the run, from zoetrope jobs list', readNumber)
    .option('--json', 'print the result as JSON')
    .action((id: number, { json }: Options) =>
      withService(async ({ store }) => {
        const found = await findImport(store.db, id);
        print(json ? toJson(found) : describeWhole(found));
      }),
    );
  jobs
    .command('retry')
    .description('add the same sources again; GIFs that are here already stay as they are')
    .argument('<number>', 'number of the run, from zoetrope jobs list', readNumber)
    .action(async (id: number) => {
      const { command } = await withService(({ store }) => findImport(store.db, id));
      await add(command);
    });
}

function readNumber(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('It must be a number of the list.');
  return Number(text);
}

function describe({ id, startedAt, endedAt, open, added, known, linked, refused, command }: Import): string {
  const state = endedAt === null ? `${open} left` : `done in ${spanOf(endedAt - startedAt)}`;
  const parts = [
    `${added} added`,
    ...(known > 0 ? [`${known} here already`] : []),
    ...(linked > 0 ? [`${linked} linked`] : []),
    ...(refused > 0 ? [`${refused} refused`] : []),
  ];
  const what = command.map((word) => (/\s/.test(word) ? `"${word}"` : word)).join(' ');
  return `${id}  ${new Date(startedAt).toISOString()}  ${state}: ${parts.join(', ')}  (${printable(what)})`;
}

function describeWhole(found: Awaited<ReturnType<typeof findImport>>): string {
  const { refusals, refused, machine } = found;
  const later = refused - refusals.length;
  return [
    describe(found),
    ...(machine === '' ? [] : [`  on ${machine}`]),
    ...refusals.map(({ key, reason, message }) => `  ${reason}  ${printable(key)}: ${printable(message)}`),
    ...(later > 0 ? [`  ${later} of the refused files were added again since; see the later imports`] : []),
  ].join('\n');
}

function spanOf(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  if (seconds < 90) return `${seconds} s`;
  return seconds < 5_400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3_600).toFixed(1)} h`;
}
