import type { Command } from 'commander';
import { counted } from '../../../base/plain-text.ts';
import { readStatus, type Status } from '../../../upkeep/index.ts';
import { print, toJson } from '../../print.ts';
import { withService } from '../../with-service.ts';

/** Adds the command that shows what a data folder contains. */
export function addStatusCommand(program: Command): void {
  program
    .command('status')
    .description('show what the data folder contains: GIFs, open work, clients, disk space')
    .option('--json', 'print the result as JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const status = await withService(readStatus);
      print(json ? toJson(status) : tabulate(status));
    });
}

function tabulate({ servedBy, gifs, build, held, jobs, clients, disk, free }: Status): string {
  const waiting = gifs.catalogue - gifs.found;
  const rows: [name: string, value: string][] = [
    ['service', servedBy ?? 'not running'],
    ['GIFs', `${gifs.found} can be found${waiting > 0 ? `, ${waiting} are not in the index yet` : ''}`],
    [
      'review',
      gifs.toReview === 0 ? 'nothing waits for you' : `${counted(gifs.toReview, 'GIF waits', 'GIFs wait')} for you`,
    ],
    ['build', `${build ?? 'none yet'}${held === null ? '' : ', held until you run zoetrope builds release'}`],
    ['open jobs', jobs.open === 0 ? 'none' : `${jobs.open}, the oldest for ${jobs.oldestSeconds} s`],
    ['clients', `${clients.approved} approved${clients.others > 0 ? `, ${clients.others} others` : ''}`],
    ['disk', `${Object.entries(disk).map(sized).join(', ')}; ${megabytes(free)} free`],
  ];
  return rows.map(([name, value]) => `${name.padEnd(9)}  ${value}`).join('\n');
}

function sized([name, bytes]: [string, number]): string {
  return `${name} ${megabytes(bytes)}`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;
}
