import type { Command } from 'commander';
import { OperatorError } from '../../../base/errors.ts';
import { counted } from '../../../base/plain-text.ts';
import type { Service } from '../../../service/index.ts';
import { checkClusterIndex, writeCluster } from '../../../work/index.ts';
import { listItems, print, toJson } from '../../print.ts';
import { sayWaiting } from '../../say-waiting.ts';
import { type TaskOptions, withProgress } from '../../with-progress.ts';
import { withService } from '../../with-service.ts';

interface Options extends TaskOptions {
  json?: boolean;
}

type Checked = NonNullable<Awaited<ReturnType<typeof checkClusterIndex>>>;

/** Adds the commands for an index in a search cluster. */
export function addIndexCommands(program: Command, exit: (code: number) => void): void {
  const index = program
    .command('index')
    .description('only with OpenSearch: update, rebuild and check the index in the cluster');
  const add = (name: string, description: string, act: (service: Service, options: Options) => Promise<void>) =>
    index
      .command(name)
      .description(description)
      .option('--json', 'print the result as JSON')
      .option('--quiet', 'show no progress')
      .action((options: Options) => withService((service) => act(service, options)));
  add(
    'sync',
    'write the changes of the catalogue to the index; a running service does this by itself',
    (service, options) => write(service, options, false),
  );
  add(
    'rebuild',
    'write the whole catalogue to a new index; searches use the earlier one until it is complete',
    (service, options) => write(service, options, true),
  );
  add('check', 'compare the number of GIFs and a sample of them with the catalogue', async (service, options) => {
    const checked = await withProgress(options, (task) => checkClusterIndex(service, task));
    if (checked === undefined) throw new OperatorError('There is no index yet. To make it, run zoetrope index rebuild');
    print(options.json ? toJson(checked) : describe(checked));
    exit(isSame(checked) ? 0 : 1);
  });
}

async function write(service: Service, options: Options, whole: boolean): Promise<void> {
  const published = await withProgress(options, (task) =>
    writeCluster(service, { ...task, onWait: sayWaiting }, whole),
  );
  print(options.json ? toJson(published) : `Build ${published.build} shows ${counted(published.gifs, 'GIF')}.`);
}

function isSame({ gifs, different }: Checked): boolean {
  return gifs.catalogue === gifs.index && different.length === 0;
}

function describe(checked: Checked): string {
  const { revisions, gifs, compared, different } = checked;
  const lines = [
    `${counted(gifs.index, 'GIF')} in the index, ${gifs.catalogue} in the catalogue; ${compared} compared, ${different.length} differ.`,
    ...listItems(different),
  ];
  if (isSame(checked)) return lines.join('\n');
  const isBehind = revisions.index !== revisions.catalogue;
  lines.push(isBehind ? 'The index lacks the latest changes: run zoetrope index sync.' : 'Run zoetrope index rebuild.');
  return lines.join('\n');
}
