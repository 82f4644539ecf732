import { Argument, type Command } from 'commander';
import { commandTree } from '../command-tree.ts';
import { completionScript, SHELLS, type Shell } from '../completion.ts';

/** Adds the command that prints completions for a shell. */
export function addCompletionCommand(program: Command): void {
  program
    .command('completion')
    .description('print completions for a shell, such as: source <(zoetrope completion bash)')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .action((shell: Shell) => {
      process.stdout.write(completionScript(shell, commandTree(program)));
    });
}
