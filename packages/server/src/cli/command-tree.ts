import type { Command } from 'commander';

/** A command with the facts that completions and the manual page need. */
export interface CommandEntry {
  /** The words after `zoetrope`, such as `gif hide`; empty for `zoetrope` itself. */
  path: string;
  description: string;
  /** The rest of the command line after these words, such as `[options] <id>`. */
  usage: string;
  options: { flags: string; long: string; description: string }[];
  /** Its subcommands. */
  commands: { name: string; description: string }[];
}

/** Lists a command and all commands below it, parents first. */
export function commandTree(command: Command, path = ''): CommandEntry[] {
  // Former names still work, but are not listed, because nobody should learn them.
  const shown = command
    .createHelp()
    .visibleCommands(command)
    .filter((child) => command.commands.includes(child));
  const below = shown.map((child) => ({ child, name: child.name(), description: child.description() }));
  const help = { flags: '-h, --help', long: '--help', description: 'print the help' };
  const own = command.options
    .filter(({ hidden }) => !hidden)
    .map(({ flags, long, description }) => ({ flags, long: long ?? flags, description }));
  return [
    {
      path,
      description: command.description(),
      usage: command.usage(),
      options: [...own, help],
      commands: below.map(({ name, description }) => ({ name, description })),
    },
    ...below.flatMap(({ child, name }) => commandTree(child, path === '' ? name : `${path} ${name}`)),
  ];
}
