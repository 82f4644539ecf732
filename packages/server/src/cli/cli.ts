import { Command } from 'commander';
import { addCommands } from './commands/commands.ts';
import { explain } from './explain.ts';

/**
 * Runs one command line.
 * @returns the exit code: 0 done, 1 failed with a message, 2 invalid command line
 */
export async function runCli(args: readonly string[]): Promise<number> {
  const program = new Command('zoetrope')
    .description('Self-hosted GIF search for Nostr clients')
    .showHelpAfterError('(zoetrope --help lists the commands)')
    .exitOverride();
  let code = 0;
  addCommands(program, (result) => {
    code = result;
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    return explain(error);
  }
}
