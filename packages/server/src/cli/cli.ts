import { Command } from 'commander';
import { VERSION } from '../base/version.ts';
import { addCommands } from './commands/commands.ts';
import { explain } from './explain.ts';

/** Returns `zoetrope` with all its commands. @param exit receives the exit code of a command that did not fail */
export function createProgram(exit: (code: number) => void): Command {
  const program = new Command('zoetrope')
    .description(
      'Self-hosted GIF search for Nostr clients. Without a command, it runs serve. The data is in ./data (ZOETROPE_DATA).',
    )
    .version(VERSION, '-V, --version', 'print the version')
    .showHelpAfterError('(zoetrope --help lists the commands)')
    .exitOverride();
  addCommands(program, exit);
  return program;
}

/**
 * Runs one command line.
 * @returns the exit code: 0 done, 1 failed with a message, 2 invalid command line
 */
export async function runCli(args: readonly string[]): Promise<number> {
  let code = 0;
  const program = createProgram((result) => {
    code = result;
  });
  try {
    // The default command is added here, because with a default command in commander, a misspelt command would count as
    // an argument of the default command.
    await program.parseAsync(args.length === 0 ? ['serve'] : args, { from: 'user' });
    return code;
  } catch (error) {
    return explain(error, args.includes('--quiet'));
  }
}
