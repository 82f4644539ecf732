import { Command } from 'commander';
import { addCommands } from './commands/commands.ts';
import { explain } from './explain.ts';

/**
 * Runs one command line.
 * @returns the exit code: 0 done, 1 not done for a reason that is told, 2 the command line itself is wrong
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
