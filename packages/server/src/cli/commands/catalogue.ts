import type { Command } from 'commander';
import { counted } from '../../base/plain-text.ts';
import type { Service } from '../../service/index.ts';
import { type CatalogueRow, listCatalogues, shownKey } from '../../sharing/index.ts';
import { followCatalogue, leaveCatalogue, publishNow, readDueCatalogues, verifyCatalogue } from '../../upkeep/index.ts';
import { print, tell, toJson } from '../print.ts';
import { type TaskOptions, withProgress } from '../with-progress.ts';
import { withService } from '../with-service.ts';
import { onCommandLine } from './on-command-line.ts';

interface Options extends TaskOptions {
  json?: boolean;
  gifs?: boolean;
}

/** Adds the commands for catalogues that services share. The command for following a catalogue is `zoetrope add`. */
export function addCatalogueCommands(program: Command): void {
  const catalogue = program
    .command('catalogue')
    .description(
      'publish the catalogue, and show, check and remove the catalogues of other services (zoetrope add https://HOST follows one)',
    );
  catalogue
    .command('list', { isDefault: true })
    .description('show the followed catalogues, when they were last read, and why reading failed')
    .option('--json', 'print the result as JSON')
    .action(async ({ json }: Options) => {
      const rows = await withService(({ store }) => listCatalogues(store.db));
      print(json ? toJson(rows) : tabulate(rows));
    });
  catalogue
    .command('remove')
    .description('stop following a catalogue, and keep its GIFs')
    .argument('<url>', 'URL of the service, from zoetrope catalogue list')
    .option('--gifs', 'also remove the GIFs that came from it')
    .action(async (url: string, { gifs }: Options) => {
      const removed = await withService((service) =>
        leaveCatalogue(service, onCommandLine(), url, gifs ? 'withdraw' : 'keep'),
      );
      print(`${url} is no longer followed. This removed ${counted(removed, 'GIF')}.`);
    });
  catalogue
    .command('publish')
    .description('write the published catalogue now (ZOETROPE_PUBLISH); a running service does this by itself')
    .option('--json', 'print the result as JSON')
    .option('--quiet', 'show no progress')
    .action(async (options: Options) => {
      const published = await withService((service) => withProgress(options, (task) => publishNow(service, task)));
      const { generation, gifs, parts, changed, left } = published;
      const without = left === 0 ? '' : ` Left out, because their texts are too long: ${counted(left, 'GIF')}.`;
      const text = `Generation ${generation} has ${counted(gifs, 'GIF')} in ${counted(parts, 'part')}, ${changed} of them new.${without}`;
      print(options.json ? toJson(published) : text);
    });
  catalogue
    .command('verify')
    .description('fetch a published catalogue and check its signature, hashes and lines; nothing is added')
    .argument('<url>', 'URL of the service')
    .option('--json', 'print the result as JSON')
    .option('--quiet', 'show no progress')
    .action(async (url: string, options: Options) => {
      const checked = await withService(
        (service) => withProgress(options, (task) => verifyCatalogue(service, url, task)),
        'nothing',
      );
      const { name, pubkey, generation, gifs, parts, bytes } = checked;
      const text = `All is right: ${counted(gifs, 'GIF')} in ${counted(parts, 'part')} (${bytes} bytes), generation ${generation}, published by ${name} with the key ${shownKey(pubkey)}.`;
      print(options.json ? toJson(checked) : text);
    });
  catalogue
    .command('follow')
    .description('read the followed catalogues that are due; a running service does this by itself')
    .option('--quiet', 'show no progress')
    .action((options: Options) =>
      withService((service) => withProgress(options, (task) => readDueCatalogues(service, task))),
    );
}

/** Follows a catalogue and reads it, for `zoetrope add`. */
export async function readFromCatalogue(service: Service, url: string, options: Options): Promise<void> {
  const result = await withProgress(options, (task) => followCatalogue(service, onCommandLine(), url, task));
  if (result === undefined) {
    tell('The running service now reads the catalogue and follows it. To see its state, run zoetrope catalogue.');
  } else if (!options.json) {
    const { gifs, parts, bytes, read, known, removed } = result;
    tell(
      `${url} has ${counted(gifs, 'GIF')}. Read: ${counted(read, 'GIF')} in ${counted(parts, 'changed part')} (${bytes} bytes). Already here: ${known}; removed: ${removed}. The files stay on that service, and the GIFs link to them. The catalogue is followed from now on.`,
    );
  }
}

function tabulate(rows: readonly CatalogueRow[]): string {
  if (rows.length === 0) return 'No catalogue is followed. Use zoetrope add https://HOST.';
  return rows
    .flatMap(({ url, pubkey, generation, gifs, readAt, error }) => [
      `${url}: ${counted(gifs, 'GIF')}, generation ${generation}, ${readAt === 0 ? 'not read to its end yet' : `read ${new Date(readAt).toISOString()}`}`,
      ...(pubkey === null ? [] : [`  key ${shownKey(pubkey)}`]),
      ...(error === null ? [] : [`  ${error}`]),
    ])
    .join('\n');
}
