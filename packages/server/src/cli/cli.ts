import { Command } from 'commander';
import { addCommands } from './commands/commands.ts';
import { explain } from './explain.ts';
import { VERSION } from './version.ts';

/**
 * Runs one command line.
 * @returns the exit code: 0 done, 1 failed with a message, 2 invalid command line
 */
export async function runCli(args: readonly string[]): Promise<number> {
  const program = new Command('zoetrope')
    .description(
      'Self-hosted GIF search for Nostr clients. Without a command, it runs serve. The data is in ./data (ZOETROPE_DATA).',
    )
    .version(VERSION, '-V, --version', 'print the version')
    .showHelpAfterError('(zoetrope --help lists the commands)')
    .exitOverride();
  let code = 0;
  addCommands(program, (result) => {
    code = result;
  });
  try {
    // With a default command, commander would take a misspelt command for one of its arguments.
    await program.parseAsync(args.length === 0 ? ['serve'] : args, { from: 'user' });
    return code;
  } catch (error) {
    return explain(error);
  }
}
