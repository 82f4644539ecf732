import type { Command } from 'commander';
import { counted } from '../../../base/plain-text.ts';
import { type BuildsReport, releaseBuild, reportOnBuilds, useBuild } from '../../../upkeep/index.ts';
import { print, toJson } from '../../print.ts';
import { withService } from '../../with-service.ts';
import { onCommandLine } from '../on-command-line.ts';

/** Adds the commands that show the builds and roll back to an older one. */
export function addBuildsCommand(program: Command): void {
  const commands = program.command('builds').description('show the builds on the disk, and roll back to an older one');
  commands
    .command('list', { isDefault: true })
    .description('list the builds on the disk, the latest first')
    .option('--json', 'print the result as JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const report = await withService(reportOnBuilds);
      print(json ? toJson(report) : tabulate(report));
    });
  commands
    .command('use')
    .description(
      'serve an older build, and make no new ones until zoetrope builds release; what was hidden stays hidden',
    )
    .argument('<build>', 'name of the build, from zoetrope builds list')
    .action(async (name: string) => {
      const { build, gifs } = await withService((service) => useBuild(service, onCommandLine(), name));
      print(
        `The service shows the ${counted(gifs, 'GIF')} of build ${build}, except those that were hidden, rated adult or changed since then. New GIFs are not shown until zoetrope builds release.`,
      );
    });
  commands
    .command('release')
    .description('go on with new builds after zoetrope builds use')
    .action(async () => {
      const build = await withService((service) => releaseBuild(service, onCommandLine()));
      print(`Build ${build} is no longer held. A running service makes a new build now; otherwise, run zoetrope work.`);
    });
}

function tabulate({ builds, others, isInCluster, held }: BuildsReport): string {
  if (isInCluster) return 'The index is in a search cluster, so there are no builds (ZOETROPE_SEARCH).';
  const lines = builds.map(({ build, gifs, bytes, writtenAt, behind, isCurrent, servedBy }) => {
    const state = build === held?.build ? ', held' : isCurrent ? ', current' : '';
    const where = servedBy.length === 0 ? '' : `, served by ${servedBy.join(', ')}`;
    return `${build}  ${new Date(writtenAt).toISOString()}, ${counted(gifs, 'GIF')}, ${(bytes / 1e6).toFixed(1)} MB, ${counted(behind, 'change')} behind${state}${where}`;
  });
  return [
    ...(lines.length === 0 ? ['There is no build yet.'] : lines),
    ...others.map(({ machine, build }) => `${machine} serves ${build}, which is not on this disk`),
    ...(held === null
      ? []
      : [
          `${held.build} is held since ${new Date(held.at).toISOString()}: no new builds until zoetrope builds release`,
        ]),
  ].join('\n');
}
