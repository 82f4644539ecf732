import type { Command } from 'commander';
import { counted } from '../../base/plain-text.ts';
import { checkLinksOnce, type LinkCheckResult, type ProbeSummary, probeLinks } from '../../upkeep/index.ts';
import { print, toJson } from '../print.ts';
import { sayWaiting } from '../say-waiting.ts';
import { type TaskOptions, withProgress } from '../with-progress.ts';
import { withService } from '../with-service.ts';

interface Options extends TaskOptions {
  json?: boolean;
}

/** Adds the commands for linked GIFs. */
export function addLinkCommand(media: Command): void {
  media
    .command('check')
    .description('check whether the files behind linked GIFs still exist, and hide GIFs whose file is gone')
    .option('--json', 'print the result as JSON')
    .option('--quiet', 'show no progress')
    .action(async (options: Options) => {
      const result = await withService((service) =>
        withProgress(options, (task) => checkLinksOnce(service, { ...task, onWait: sayWaiting })),
      );
      print(options.json ? toJson(result) : summarise(result));
    });
  media
    .command('probe')
    .description(
      'read the start of each new linked GIF, which is hidden until then; a running service does this by itself',
    )
    .option('--json', 'print the result as JSON')
    .option('--quiet', 'show no progress')
    .action(async (options: Options) => {
      const result = await withService((service) => withProgress(options, (task) => probeLinks(service, task)));
      print(options.json ? toJson(result) : summariseProbe(result));
    });
}

/** Returns the summary that is printed after linked GIFs have been probed. */
export function summariseProbe({ probed, alive, gone, unclear, left, waiting, build }: ProbeSummary): string {
  const counts = `${alive} are images, ${gone} are not, ${unclear} did not respond`;
  const lines = [`First bytes of ${probed} linked GIFs fetched: ${counts}.`];
  if (left > 0) lines.push(`${left} more are on hosts that limit requests or do not respond.`);
  if (waiting > 0) {
    lines.push(
      `${waiting} linked GIFs are not shown yet. The running service and zoetrope media probe will try them again.`,
    );
  }
  if (build !== null) lines.push(`Build ${build} includes the result.`);
  return lines.join('\n');
}

function summarise({ checked, alive, gone, unclear, hidden, back, moved, left, build }: LinkCheckResult): string {
  const lines = [`${counted(checked, 'link')} checked: ${alive} work, ${gone} are gone, ${unclear} are unclear.`];
  if (left > 0) lines.push(`${left} more are on hosts that do not respond; the next check will try them again.`);
  if (hidden > 0)
    lines.push(
      `Hidden until they are available again, because they have been gone for a day or more: ${counted(hidden, 'GIF')}.`,
    );
  if (back > 0) lines.push(`Available again: ${counted(back, 'GIF')}.`);
  if (moved > 0) lines.push(`Now shown from another URL: ${counted(moved, 'GIF')}.`);
  if (build !== null) lines.push(`Build ${build} includes the result.`);
  return lines.join('\n');
}
