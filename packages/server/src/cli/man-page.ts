import { expectation } from '../base/settings.ts';
import { VERSION } from '../base/version.ts';
import { fields } from '../config.ts';
import type { CommandEntry } from './command-tree.ts';

/** Returns the manual page in the language of troff's `man` macros: all commands, and all settings. */
export function manPage([program, ...commands]: readonly CommandEntry[]): string {
  return [
    `.TH ZOETROPE 1 "" "zoetrope ${VERSION}" "User Commands"`,
    '.SH NAME',
    'zoetrope \\- self-hosted GIF search for Nostr clients',
    '.SH SYNOPSIS',
    '.B zoetrope',
    '.RI [ command ]\n.RI [ options ]',
    '.SH DESCRIPTION',
    textLine(program!.description),
    '.SH COMMANDS',
    ...commands.filter((entry) => entry.commands.length === 0).flatMap(describeCommand),
    '.SH SETTINGS',
    'Settings come from the environment, or from',
    '.I zoetrope.toml',
    'or',
    '.I zoetrope.json',
    'in the working folder.',
    ...[...fields()].flatMap(([part, name, field]) => [
      '.TP',
      `.B ${escaped(field.env)}`,
      textLine(`${field.description}. In a file: ${part}.${name}. It is ${expectation(field)}.`),
      textLine(field.default === '' ? 'Default: empty.' : `Default: ${field.default}.`),
    ]),
    '.SH EXIT STATUS',
    '0 if the command is done, 1 if it failed with a message, 2 if the command line is wrong, 75 if it stopped because another command was waiting, 130 if it was stopped.',
    '',
  ].join('\n');
}

function describeCommand({ path, usage, description, options }: CommandEntry): string[] {
  return [
    '.TP',
    `.B zoetrope ${escaped(`${path} ${usage}`.trim())}`,
    textLine(`${description}.`),
    ...options
      .filter(({ long }) => long !== '--help')
      .flatMap((option) => ['.RS', '.TP', `.B ${escaped(option.flags)}`, textLine(`${option.description}.`), '.RE']),
  ];
}

/**
 * Returns a line of text. A full stop or an apostrophe at its start is escaped, because it would start a request of
 * troff.
 */
function textLine(text: string): string {
  const line = escaped(text[0]!.toUpperCase() + text.slice(1));
  return /^[.']/.test(line) ? `\\&${line}` : line;
}

/**
 * Escapes a text. A hyphen-minus must be escaped, because it would become a typographic hyphen, which does not work
 * when copied into a shell.
 */
function escaped(text: string): string {
  return text.replaceAll('\\', '\\e').replaceAll('-', '\\-');
}
