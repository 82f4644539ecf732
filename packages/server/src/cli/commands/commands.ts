import { inspect } from 'node:util';
import type { Command } from 'commander';
import { OperatorError } from '../../base/errors.ts';
import { counted } from '../../base/plain-text.ts';
import { nameOf } from '../../ingest/index.ts';
import { revision } from '../../records/index.ts';
import { readRelays } from '../../relays/index.ts';
import { serve, startWorking } from '../../serve/index.ts';
import type { Service } from '../../service/index.ts';
import { areProbesDue, findCatalogues, probeLinks } from '../../upkeep/index.ts';
import { build, fetchUrls, GAVE_WAY, GaveWay, readSources, type Task, work } from '../../work/index.ts';
import { print, tell, toJson } from '../print.ts';
import { sayWaiting } from '../say-waiting.ts';
import { stopSignal } from '../stop-signal.ts';
import { summarise } from '../summary.ts';
import { type TaskOptions, withProgress } from '../with-progress.ts';
import { withService } from '../with-service.ts';
import { addCatalogueCommands, readFromCatalogue } from './catalogue.ts';
import { addCompletionCommand } from './completion.ts';
import { addGifCommands } from './gif.ts';
import { addInitCommand } from './init.ts';
import { addJobCommands } from './jobs.ts';
import { addLanguageCommands } from './languages.ts';
import { summariseProbe } from './links.ts';
import { addManCommand } from './man.ts';
import { addMediaCommands } from './media.ts';
import { addModelCommands } from './models.ts';
import { onCommandLine } from './on-command-line.ts';
import { addRegistryCommands } from './registry.ts';
import { addRelayCommands } from './relays.ts';
import { addSearchCommands } from './search.ts';
import { addBackupCommands } from './upkeep/backup.ts';
import { addBuildsCommand } from './upkeep/builds.ts';
import { addIndexCommands } from './upkeep/cluster.ts';
import { addDoctorCommand } from './upkeep/doctor.ts';
import { addMigrateCommand } from './upkeep/migrate.ts';
import { addNodesCommand } from './upkeep/nodes.ts';
import { addStatusCommand } from './upkeep/status.ts';

interface Options extends TaskOptions {
  json?: boolean;
  searchable?: boolean;
  keep?: boolean;
  link?: boolean;
  giveWay?: boolean;
}

type Exit = (code: number) => void;

/** Adds all commands of `zoetrope`. */
export function addCommands(program: Command, exit: Exit): void {
  addInitCommand(program);
  program
    .command('serve')
    .description('serve searches, after adding the starter catalogue if the data folder is empty')
    .option('--port <port>', 'port to listen on (ZOETROPE_PORT; default: 8080)')
    .option('--verbose', 'show each request and more messages (ZOETROPE_REQUEST_LOG, ZOETROPE_LOG_LEVEL)')
    .action(({ port, verbose }: { port?: string; verbose?: boolean }) => {
      if (port !== undefined) process.env['ZOETROPE_PORT'] = port;
      if (verbose) {
        process.env['ZOETROPE_REQUEST_LOG'] ??= 'on';
        process.env['ZOETROPE_LOG_LEVEL'] ??= 'info';
      }
      return withService(runServe, 'nothing');
    });
  addAddCommand(program, exit);
  addJobCommands(program, (command) => program.parseAsync(['add', ...command], { from: 'user' }));
  program
    .command('work')
    .description('do the work that an interrupted command left; a running service does this by itself')
    .option('--json', 'print the result as JSON')
    .option('--quiet', 'show no progress')
    .option('--searchable', 'stop when everything can be found; the service makes the remaining previews later')
    .option('--give-way', 'stop when another command waits to write; a running service continues later')
    .option('--now', 'work at normal priority; otherwise it is low while a service uses the same data')
    .option('--keep', 'keep running and do all new work, for services with ZOETROPE_BACKGROUND=off')
    .action((options: Options) =>
      options.keep
        ? withService(keepWorking, 'nothing')
        : withService(async (service) => exit(await runWork(service, options))).catch((error) => {
            if (!(error instanceof GaveWay)) throw error;
            if (!options.quiet) tell(error.message);
            exit(GAVE_WAY);
          }),
    );
  program
    .command('build')
    .description('rebuild the search index from the catalogue; the service can keep running')
    .option('--json', 'print the result as JSON')
    .option('--quiet', 'show no progress')
    .action((options: Options) => withService((service) => runBuild(service, options)));
  addBuildsCommand(program);
  addIndexCommands(program, exit);
  addGifCommands(program);
  addRegistryCommands(program);
  addModelCommands(program);
  addLanguageCommands(program);
  addRelayCommands(program);
  addCatalogueCommands(program);
  addMediaCommands(program, exit);
  addBackupCommands(program, exit);
  addMigrateCommand(program);
  addNodesCommand(program);
  addStatusCommand(program);
  addDoctorCommand(program, exit);
  addSearchCommands(program);
  addCompletionCommand(program);
  addManCommand(program);
}

function addAddCommand(program: Command, exit: Exit): void {
  program
    .command('add')
    .description(
      'add GIFs from files, URLs, relays, catalogues of other services or the starter catalogue; the service can keep running',
    )
    .argument(
      '<source...>',
      'a folder; a .gif or .webp file, or its URL; a list of GIFs as .jsonl, .ndjson or .json (plain or .gz); a relay as wss://HOST, which is followed from then on; a service that publishes its catalogue, as https://HOST, which is followed from then on; the word starter for the starter catalogue, or starter:fluent for the Fluent emoji',
    )
    .option('--link', 'do not download GIFs that are given as URLs: apps load them from these URLs')
    .option('--json', 'print the result as JSON')
    .option('--quiet', 'show no progress')
    .action((sources: string[], options: Options) => add(sources, options, exit));
}

function add(given: readonly string[], options: Options, exit: Exit): Promise<void> {
  return withService(async (service) => {
    const relays = given.filter((source) => /^wss?:/i.test(source));
    const addresses = given.filter((source) => /^https?:/i.test(source));
    const local = readSources(given.filter((source) => !relays.includes(source) && !addresses.includes(source)));
    if (relays.length > 0) await readFromRelays(service, relays, options);
    const catalogues = await withProgress(options, ({ signal }) => findCatalogues(service, addresses, signal));
    const urls = addresses.filter((address) => !catalogues.includes(address));
    for (const catalogue of catalogues) await readFromCatalogue(service, catalogue, options);
    const before = await revision(service.store.db);
    const isLinked = options.link ?? false;
    const fetched = await withProgress(options, ({ signal }) => fetchUrls(service, urls, { isLinked, signal }));
    const sources = [...local, ...readSources(fetched.paths)];
    const command = [...(isLinked ? ['--link'] : []), ...local.map(nameOf), ...urls];
    exit(await runWork(service, options, { sources, command, onWait: sayWaiting }));
    await fetched.remove();
    await probe(service, options, before);
  });
}

async function runServe(service: Service): Promise<void> {
  const stopping = new AbortController();
  const stop = stopSignal().then(() => stopping.abort());
  const serving = await Promise.race([serve(service, stopping.signal), stop.then(endSoon)]).catch((error) => {
    if (!stopping.signal.aborted) throw error;
  });
  if (serving === undefined) return;
  const { url, documents, isGrowing, operatorCode } = serving;
  const isNew = documents === 0 && isGrowing;
  const headline = isNew
    ? 'Zoetrope is drawing its first GIFs; its page shows each as soon as it is ready'
    : searches(serving);
  const offer = operatorCode === null ? '' : `\n${describeCode(url, operatorCode)}`;
  print(
    `${headline}\n  page       ${url}/\n  API        ${url}/api/v1/search?q=gm\n  dashboard  ${url}/dashboard${offer}`,
  );
  if (isNew) void serving.first.then((first) => print(searches({ documents: first, isGrowing })));
  try {
    await Promise.race([stop, serving.failed]);
    endWithin(STOP_MS, 'something is still running');
  } catch (error) {
    endWithin(FAIL_MS, error);
    throw error;
  } finally {
    await serving.stop();
  }
}

function searches({ documents, isGrowing }: { documents: number; isGrowing: boolean }): string {
  return `Zoetrope searches ${counted(documents, 'GIF')}${isGrowing ? ', and more are being added' : ''}`;
}

function describeCode(url: string, code: string): string {
  const digits = `${code.slice(0, 3)} ${code.slice(3)}`;
  return `Nobody operates this service yet. To become its operator, open ${url}/dashboard, sign in, and enter the code ${digits} (valid for 30 minutes)`;
}

/** Time limit for stopping a service that is still preparing and does not serve yet. */
const PREPARING_MS = 1_500;

/** Ends a service that is still preparing. Preparations can be interrupted at any moment. */
function endSoon(): Promise<never> {
  setTimeout(() => process.exit(0), PREPARING_MS).unref();
  return new Promise(() => {});
}

/** Time limit for stopping the service, on request or after a fatal error. */
const STOP_MS = 30_000;
const FAIL_MS = 8_000;

/** Ends the process with exit code 1 if it is still running after this time. */
function endWithin(ms: number, reason: unknown): void {
  const end = () => {
    tell(`The service did not stop within ${ms / 1_000} s and was terminated: ${inspect(reason)}`);
    process.exit(1);
  };
  setTimeout(end, ms).unref();
}

async function keepWorking(service: Service): Promise<void> {
  const working = await startWorking(service);
  tell('Doing open work, and new work when it arrives. Press Ctrl-C to stop.');
  await stopSignal();
  endWithin(STOP_MS, 'something is still running');
  await working.stop();
}

async function readFromRelays(service: Service, relays: readonly string[], options: Options): Promise<void> {
  const isRead = await withProgress(options, (task) => readRelays(service, onCommandLine(), relays, task));
  if (!isRead)
    tell('The running service now reads the relay and follows it. To see its progress, run zoetrope relays.');
}

/** Fetches the first bytes of the linked GIFs that were added, as fast as their hosts allow. */
async function probe(service: Service, options: Options, before: number): Promise<void> {
  if (!(await areProbesDue(service, before))) return;
  if (!options.json) {
    tell(
      'Linked GIFs are hidden until their first bytes have been fetched. You can stop this at any time; the next run continues where it stopped.',
    );
  }
  try {
    const summary = await withProgress(options, (task) => probeLinks(service, task));
    if (!options.json) print(summariseProbe(summary));
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    tell('The running service is fetching them now. Each appears as soon as it has been checked.');
  }
}

/** @returns the exit code: 1 if a source could not be read, or if all files were rejected */
async function runWork(
  service: Service,
  options: Options,
  more: Pick<Task, 'sources' | 'command' | 'onWait'> = {},
): Promise<number> {
  const searchableOnly = options.searchable ?? false;
  const givesWay = options.giveWay ?? false;
  const summary = await withProgress(options, (task) => work(service, { ...task, ...more, searchableOnly, givesWay }));
  print(options.json ? toJson(summary) : summarise(summary));
  const { added, known, linked, refused } = summary;
  const broken = refused.some(({ reason }) => reason === 'unreadable_source' || reason === 'unreadable_file');
  return broken || (refused.length > 0 && added + known + linked === 0) ? 1 : 0;
}

async function runBuild(service: Service, options: Options): Promise<void> {
  const manifest = await withProgress(options, (task) => build(service, { ...task, onWait: sayWaiting }, true));
  print(options.json ? toJson(manifest) : `Build ${manifest.build} shows ${counted(manifest.gifs, 'GIF')}.`);
}
