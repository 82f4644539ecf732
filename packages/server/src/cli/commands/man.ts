import type { Command } from 'commander';
import { commandTree } from '../command-tree.ts';
import { manPage } from '../man-page.ts';

/** Adds the command that prints the manual page. */
export function addManCommand(program: Command): void {
  program
    .command('man')
    .description('print the manual page; to read it: zoetrope man | man -l -')
    .action(() => {
      process.stdout.write(manPage(commandTree(program)));
    });
}
