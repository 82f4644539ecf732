import type { Command } from 'commander';
import { createLog } from '../../../base/log.ts';
import { loadConfig } from '../../../config.ts';
import { examine, type Finding, type Report } from '../../../upkeep/index.ts';
import { listItems, print, toJson } from '../../print.ts';
import { type TaskOptions, withProgress } from '../../with-progress.ts';

interface Options extends TaskOptions {
  media?: boolean;
  repair?: boolean;
  json?: boolean;
}

const LABELS = { well: 'ok', note: 'note', wrong: 'WRONG' };

export function addDoctorCommand(program: Command, exit: (code: number) => void): void {
  program
    .command('doctor')
    .description('check the data folder and the settings for problems; the service can keep running')
    .option('--media', 'also read all media, which takes a long time')
    .option('--repair', 'remove damaged previews and videos, and recreate these and missing ones')
    .option('--json', 'print the result as JSON')
    .option('--quiet', 'show no progress')
    .action(async (options: Options) => exit(await runDoctor(options)));
}

/** @returns the exit code: 1 if there are problems */
async function runDoctor(options: Options): Promise<number> {
  const config = loadConfig(process.env, process.cwd());
  const media = options.repair ? 'repair' : options.media ? 'look' : 'no';
  const report = await withProgress(options, (task) =>
    examine(config, createLog(config.service.logLevel), { ...task, media }),
  );
  print(options.json ? toJson(report) : tabulate(report));
  return report.well ? 0 : 1;
}

function tabulate({ well, findings }: Report): string {
  const names = Math.max(...findings.map(({ check }) => check.length));
  const lines = findings.flatMap((finding) => [
    row(finding, names),
    ...listItems(finding.items, ' '.repeat(names + 9)),
  ]);
  return [...lines, '', well ? 'No problems found.' : 'Problems found.'].join('\n');
}

function row({ state, check, message }: Finding, names: number): string {
  return `${LABELS[state].padEnd(5)}  ${check.padEnd(names)}  ${message}`;
}
