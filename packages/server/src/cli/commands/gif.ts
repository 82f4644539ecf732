import type { Command } from 'commander';
import { systemClock } from '../../base/clock.ts';
import { OperatorError } from '../../base/errors.ts';
import { type Act, listReports, type Move, moderate, pageOfMoves, undoMove } from '../../catalog/index.ts';
import type { Service } from '../../service/index.ts';
import { withService } from '../with-service.ts';

interface Options {
  json?: boolean;
}

interface EditOptions extends Options {
  title?: string;
  tags?: string;
  alt?: string;
  told?: boolean;
}

type Database = Service['store']['db'];

const ACTS = {
  hide: 'take a GIF out of every answer at once, and its original',
  show: 'bring a hidden GIF back',
  block: 'never show a GIF again, nor what looks like it; files of its bytes are refused',
  unblock: 'take a GIF off the block list',
  adult: 'say that a GIF is for adults, whatever else is said of it',
  safe: 'say that a GIF is not for adults, whatever else is said of it',
  dismiss: 'say that the reports of a GIF are dealt with',
} as const;

/** The commands over single GIFs, and what is reported of them. What they change reaches a running service at once. */
export function addGifCommands(program: Command): void {
  const gif = program.command('gif').description('correct single GIFs');
  for (const [action, description] of Object.entries(ACTS) as [keyof typeof ACTS, string][]) {
    json(gif.command(`${action} <id>`))
      .description(description)
      .action((id: string, options: Options) => act(options, id, { action }));
  }
  json(gif.command('edit <id>'))
    .description('say other words of a GIF than are told of it')
    .option('--title <title>', 'its title')
    .option('--tags <tags>', 'its tags, with commas between')
    .option('--alt <text>', 'a description for people who do not see it')
    .option('--told', 'take back all that was edited')
    .action((id: string, options: EditOptions) => act(options, id, { action: 'edit', edit: readEdit(options) }));
  json(gif.command('log [id]'))
    .description('show what was done to a GIF, or to any, the latest first')
    .action((id: string | undefined, options: Options) =>
      withDatabase(options, async (db) => {
        const moves = await pageOfMoves(db, { gif: id ?? '' });
        return { value: moves, text: moves.map(describeMove).join('\n') };
      }),
    );
  json(gif.command('undo <move>'))
    .description('take back something that was done, by its number in the log')
    .action((seq: string, options: Options) =>
      withDatabase(options, async (db) => outcomeOf(await undoMove(db, by(), Number(seq)))),
    );
  json(program.command('reports'))
    .description('show what people report of GIFs and nobody has dealt with')
    .option('--all', 'those that are dealt with, too')
    .action((options: Options & { all?: boolean }) =>
      withDatabase(options, async (db) => {
        const reports = await listReports(db, options.all ? {} : { state: 'open' });
        return { value: reports, text: reports.map(describeReport).join('\n') };
      }),
    );
}

function readEdit({ title, tags, alt, told }: EditOptions): Extract<Act, { action: 'edit' }>['edit'] {
  if (told) return { title: null, tags: null, alt: null };
  const edit = {
    ...(title !== undefined && { title }),
    ...(tags !== undefined && { tags: tags.split(',').flatMap((tag) => tag.trim() || []) }),
    ...(alt !== undefined && { alt }),
  };
  if (Object.keys(edit).length > 0) return edit;
  throw new OperatorError('Say what to edit: --title, --tags or --alt, or --told to take back what was edited');
}

function act(options: Options, id: string, wanted: Act): Promise<void> {
  return withDatabase(options, async (db) => outcomeOf(await moderate(db, by(), id, wanted)));
}

function by() {
  return { actor: 'command line', now: systemClock.now() };
}

interface Outcome {
  value: unknown;
  text: string;
}

function outcomeOf(move: Move | null): Outcome {
  if (move === null) return { value: move, text: 'It was so already.' };
  return { value: move, text: `Done. zoetrope gif undo ${move.seq} takes it back.` };
}

function withDatabase(options: Options, work: (db: Database) => Promise<Outcome>): Promise<void> {
  return withService(async ({ store }) => {
    const { value, text } = await work(store.db);
    if (options.json) console.log(JSON.stringify(value));
    else if (text !== '') console.log(text);
  });
}

function json(command: Command): Command {
  return command.option('--json', 'print the result as JSON');
}

function describeMove({ seq, at, actor, action, gif, undone }: Move): string {
  return `${seq}  ${new Date(at).toISOString()}  ${actor}: ${action} ${gif}${undone ? ' (undone)' : ''}`;
}

function describeReport(report: Awaited<ReturnType<typeof listReports>>[number]): string {
  const { at, gif, reason, reporter, contact, message, state } = report;
  const head = `${new Date(at).toISOString()}  ${gif}  ${reason}, by ${reporter}${state === 'done' ? ' (done)' : ''}`;
  return [head, ...(contact ? [`  contact: ${contact}`] : []), ...message.split('\n').map((line) => `  ${line}`)].join(
    '\n',
  );
}
