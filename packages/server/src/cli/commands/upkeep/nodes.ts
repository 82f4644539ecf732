import type { Command } from 'commander';
import { counted } from '../../../base/plain-text.ts';
import { forgetMachine, type NodesReport, reportOnNodes } from '../../../upkeep/index.ts';
import { print, toJson } from '../../print.ts';
import { withService } from '../../with-service.ts';

const ROLES = {
  serve: 'serves requests',
  worker: 'waits for work',
  work: 'does open work',
  relays: 'follows relays',
} as const;

const WORKS: Record<NodesReport['holders'][number]['work'], string> = {
  writer: 'makes builds',
  relays: 'follows relays',
  probe: 'fetches first bytes of linked GIFs',
  links: 'checks links',
  meaning: 'embeds texts',
  looks: 'describes pictures',
  rating: 'rates GIFs',
  captions: 'reads captions',
  catalogues: 'reads the catalogues of other services',
  publish: 'publishes the catalogue',
  shadow: 'updates the index in the cluster',
};

/** Adds the commands for processes that share a database. */
export function addNodesCommand(program: Command): void {
  const commands = program
    .command('nodes')
    .description('show the processes that share a PostgreSQL database, and give up the work of a lost machine');
  commands
    .command('list', { isDefault: true })
    .description('list the processes, what they serve, and the work that is left')
    .option('--json', 'print the result as JSON')
    .action(async (options: { json?: boolean }) => {
      const report = await withService(reportOnNodes);
      print(options.json ? toJson(report) : tabulate(report));
    });
  commands
    .command('forget')
    .description('give up the open work that needs files on a machine that will not come back')
    .argument('<machine>', 'name of the machine, from zoetrope nodes list')
    .action(async (machine: string) => {
      const dropped = await withService((service) => forgetMachine(service, machine));
      print(`Dropped jobs: ${dropped}. To add their files, run zoetrope add on a machine that has them.`);
    });
}

function tabulate({ nodes, holders, jobs, stranded }: NodesReport): string {
  const machines = Math.max(0, ...nodes.map(({ machine }) => machine.length));
  const roles = Math.max(...Object.values(ROLES).map(({ length }) => length));
  const lines = nodes.map(({ machine, role, build, behind, claims, age }) => {
    const serves =
      build === null ? '' : `build ${build}${behind === 0 ? '' : `, ${counted(behind!, 'change')} behind`}, `;
    const does = claims === 0 ? '' : `${counted(claims, 'job')}, `;
    return `${machine.padEnd(machines)}  ${ROLES[role].padEnd(roles)}  ${serves}${does}up ${duration(age)}`;
  });
  const none = 'No process is using a shared PostgreSQL database (ZOETROPE_DATABASE_URL).';
  const oldest = jobs.oldestSeconds === null ? '' : `, the oldest for ${duration(jobs.oldestSeconds)}`;
  return [
    ...(lines.length === 0 ? [none] : lines),
    ...holders.map(({ work, holder }) => `${WORKS[work]}: ${holder}`),
    `open jobs: ${jobs.open}${oldest}`,
    ...stranded.map(({ machine, open }) => `${open} of them need files of ${machine}, which has no running process`),
  ].join('\n');
}

/** Formats a number of seconds with a unit that suits its size. */
function duration(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7_200) return `${Math.floor(seconds / 60)} min`;
  return `${Math.floor(seconds / 3_600)} h`;
}
