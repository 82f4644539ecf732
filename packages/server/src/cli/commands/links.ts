import type { Command } from 'commander';
import { checkLinksOnce, type LinkCheckResult, type ProbeSummary, probeLinks } from '../../upkeep/index.ts';
import { type TaskOptions, withProgress } from '../with-progress.ts';
import { withService } from '../with-service.ts';

interface Options extends TaskOptions {
  json?: boolean;
}

/** The command over the addresses of linked GIFs. */
export function addLinkCommand(media: Command): void {
  media
    .command('check')
    .description('look whether the originals of linked GIFs are still where they were')
    .option('--json', 'print the result as JSON')
    .option('--quiet', 'show no progress')
    .action(async (options: Options) => {
      const result = await withService((service) => withProgress(options, (task) => checkLinksOnce(service, task)));
      console.log(options.json ? JSON.stringify(result) : summarise(result));
    });
  media
    .command('probe')
    .description('fetch the first bytes of linked GIFs, which are not shown before that; resumes where it was stopped')
    .option('--json', 'print the result as JSON')
    .option('--quiet', 'show no progress')
    .action(async (options: Options) => {
      const result = await withService((service) => withProgress(options, (task) => probeLinks(service, task)));
      console.log(options.json ? JSON.stringify(result) : summariseProbe(result));
    });
}

/** What a person reads after linked GIFs were read. */
export function summariseProbe({ probed, alive, gone, unclear, left, waiting, build }: ProbeSummary): string {
  const counts = `${alive} are images, ${gone} are not, ${unclear} gave no answer`;
  const lines = [`First bytes of ${probed} linked GIFs fetched: ${counts}.`];
  if (left > 0) lines.push(`${left} more are at hosts that do not answer, or want fewer requests.`);
  if (waiting > 0) {
    lines.push(
      `${waiting} linked GIFs are not shown yet. The running service tries them again, and so does zoetrope media probe.`,
    );
  }
  if (build !== null) lines.push(`Build ${build} shows the result.`);
  return lines.join('\n');
}

function summarise({ checked, alive, gone, unclear, hidden, back, moved, left, build }: LinkCheckResult): string {
  const lines = [`${checked} links checked: ${alive} live, ${gone} are gone, of ${unclear} nothing can be said.`];
  if (left > 0) lines.push(`${left} more are at hosts that do not answer; the next check tries them again.`);
  if (hidden > 0) lines.push(`${hidden} GIFs were gone for a day or more and are hidden until they come back.`);
  if (back > 0) lines.push(`${back} GIFs are back.`);
  if (moved > 0) lines.push(`${moved} GIFs are shown from another address.`);
  if (build !== null) lines.push(`Build ${build} shows it.`);
  return lines.join('\n');
}
