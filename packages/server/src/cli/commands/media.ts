import type { Command } from 'commander';
import { counted } from '../../base/plain-text.ts';
import { copyMedia, type Direction } from '../../upkeep/index.ts';
import { listItems, print, toJson } from '../print.ts';
import { type TaskOptions, withProgress } from '../with-progress.ts';
import { withService } from '../with-service.ts';
import { addLinkCommand } from './links.ts';

interface Options extends TaskOptions {
  json?: boolean;
  originals?: boolean;
}

type Copied = Awaited<ReturnType<typeof copyMedia>>;

/** Adds the commands for media stores. */
export function addMediaCommands(program: Command, exit: (code: number) => void): void {
  const media = program
    .command('media')
    .description('copy media between the data folder and an S3 bucket (ZOETROPE_S3_BUCKET), and check linked GIFs');
  const directions: Record<Direction, string> = {
    push: 'copy the media of the data folder to the bucket, except those that it already has',
    pull: 'copy media that the data folder lacks from the bucket to the data folder',
  };
  for (const [direction, description] of Object.entries(directions) as [Direction, string][]) {
    media
      .command(direction)
      .description(description)
      .option('--originals', 'skip previews and videos, which can be made again')
      .option('--json', 'print the result as JSON')
      .option('--quiet', 'show no progress')
      .action(async (options: Options) => exit(await copy(direction, options)));
  }
  addLinkCommand(media);
}

/** @returns the exit code: 1 if damaged files were not copied */
async function copy(direction: Direction, options: Options): Promise<number> {
  const originalsOnly = options.originals ?? false;
  const copied = await withService((service) =>
    withProgress(options, (task) => copyMedia(service, direction, { ...task, originalsOnly })),
  );
  print(options.json ? toJson(copied) : summarise(copied));
  return copied.damaged.length === 0 ? 0 : 1;
}

function summarise({ copied, bytes, there, damaged }: Copied): string {
  const lines = [`${counted(copied, 'file')} copied (${(bytes / 1e6).toFixed(1)} MB), ${there} already existed.`];
  if (damaged.length > 0) lines.push(`${damaged.length} are damaged and were not copied; see zoetrope doctor --media:`);
  lines.push(...listItems(damaged.map(({ key, damage }) => `${key}: ${damage}`)));
  return lines.join('\n');
}
