import { type Command, Option } from 'commander';
import { OperatorError } from '../../base/errors.ts';
import { gifIdIn } from '../../base/gif-id.ts';
import { type Act, listReports, type Move, moderate, pageOfMoves, undoMove } from '../../moderation/index.ts';
import { type Service, withReserve } from '../../service/index.ts';
import { print, toJson } from '../print.ts';
import { withService } from '../with-service.ts';
import { onCommandLine } from './on-command-line.ts';

interface Options {
  json?: boolean;
  /** The reason for the operator's decision. */
  reason?: string;
}

interface EditOptions extends Options {
  title?: string;
  tags?: string;
  alt?: string;
  reset?: boolean;
  told?: boolean;
}

type Database = Service['store']['db'];

const ACTS = {
  hide: 'hide a GIF from searches and stop serving its files, immediately',
  show: 'show a hidden GIF again',
  block: 'hide a GIF and all GIFs that look the same, and refuse them when they are added again',
  unblock: 'undo a block, also for GIFs that look the same',
  adult: 'rate a GIF as adult, overriding all other ratings',
  safe: 'rate a GIF as safe, overriding all other ratings',
  dismiss: 'close the reports about a GIF',
} as const;

const ID = 'id of the GIF, as zoetrope search prints it, or any of its URLs on this service';

/** Adds the commands for moderating single GIFs and for reports. A running service applies changes immediately. */
export function addGifCommands(program: Command): void {
  const gif = program
    .command('gif')
    .description('moderate single GIFs: hide, block, rate, edit; see and undo what was changed');
  for (const [action, description] of Object.entries(ACTS) as [keyof typeof ACTS, string][]) {
    decision(gif.command(action))
      .description(description)
      .argument('<id>', ID)
      .action((id: string, options: Options) => act(options, id, { action }));
  }
  decision(gif.command('edit'))
    .description('override the title, tags or alt text of a GIF')
    .argument('<id>', ID)
    .option('--title <title>', 'its title')
    .option('--tags <tags>', 'all its tags, separated by commas')
    .option('--alt <text>', 'its alt text')
    .option('--reset', 'remove all edits, so that the words of its source apply again')
    .addOption(new Option('--told', 'the former name of --reset').hideHelp())
    .action((id: string, options: EditOptions) => act(options, id, { action: 'edit', edit: readEdit(options) }));
  json(gif.command('log'))
    .description('show the latest 50 changes of one GIF or of all GIFs, latest first')
    .argument('[id]', ID)
    .action((id: string | undefined, options: Options) =>
      withDatabase(options, async (db) => {
        const moves = await pageOfMoves(db, { gif: gifIdIn(id ?? '') });
        return { value: moves, text: moves.map(describeMove).join('\n') || 'Nothing has been changed yet.' };
      }),
    );
  decision(gif.command('undo'))
    .description('undo a change')
    .argument('<number>', 'number of the change, from zoetrope gif log')
    .action((seq: string, options: Options) =>
      withDatabase(options, async (db) => outcomeOf(await undoMove(db, onCommandLine(options.reason), Number(seq)))),
    );
  json(program.command('reports'))
    .description('show open reports')
    .option('--all', 'also show closed reports')
    .action((options: Options & { all?: boolean }) =>
      withDatabase(options, async (db) => {
        const reports = await listReports(db, options.all ? {} : { state: 'open' });
        return { value: reports, text: reports.map(describeReport).join('\n') || 'There are no open reports.' };
      }),
    );
}

function readEdit({ title, tags, alt, reset, told }: EditOptions): Extract<Act, { action: 'edit' }>['edit'] {
  if (reset || told) return { title: null, tags: null, alt: null };
  const edit = {
    ...(title !== undefined && { title }),
    ...(tags !== undefined && { tags: tags.split(',').flatMap((tag) => tag.trim() || []) }),
    ...(alt !== undefined && { alt }),
  };
  if (Object.keys(edit).length > 0) return edit;
  throw new OperatorError('Nothing to edit: use --title, --tags or --alt, or --reset to remove all edits');
}

function act(options: Options, id: string, wanted: Act): Promise<void> {
  return withDatabase(options, async (db) =>
    outcomeOf(await moderate(db, onCommandLine(options.reason), gifIdIn(id), wanted)),
  );
}

interface Outcome {
  value: unknown;
  text: string;
}

function outcomeOf(move: Move | null): Outcome {
  if (move === null) return { value: move, text: 'Nothing changed: the GIF was already in this state.' };
  return { value: move, text: `Done. To undo: zoetrope gif undo ${move.seq}` };
}

function withDatabase(options: Options, work: (db: Database) => Promise<Outcome>): Promise<void> {
  return withService(async ({ store }) => {
    const { value, text } = await withReserve('hide', () => work(store.db));
    if (options.json) print(toJson(value));
    else print(text);
  });
}

function json(command: Command): Command {
  return command.option('--json', 'print the result as JSON');
}

function decision(command: Command): Command {
  return json(command).option('--reason <text>', 'why, for the log');
}

function describeMove({ seq, at, actor, action, gif, reason, undone }: Move): string {
  const because = reason === '' ? '' : `: ${reason}`;
  return `${seq}  ${new Date(at).toISOString()}  ${actor}: ${action} ${gif}${undone ? ' (undone)' : ''}${because}`;
}

function describeReport(report: Awaited<ReturnType<typeof listReports>>[number]): string {
  const { at, gif, reason, reporter, contact, message, state, more } = report;
  const head = `${new Date(at).toISOString()}  ${gif}  ${reason}, by ${reporter}${state === 'done' ? ' (closed)' : ''}`;
  const others = more > 0 ? [`  and ${more} more for the same reason`] : [];
  const lines = message.split('\n').map((line) => `  ${line}`);
  return [head, ...(contact ? [`  contact: ${contact}`] : []), ...lines, ...others].join('\n');
}
