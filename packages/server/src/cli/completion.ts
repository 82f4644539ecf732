import type { CommandEntry } from './command-tree.ts';

/** Shells for which there are completions. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/**
 * Returns a script for a shell that completes commands and options of `zoetrope`. Arguments are completed as file names.
 */
export function completionScript(shell: Shell, entries: readonly CommandEntry[]): string {
  return { bash, zsh, fish }[shell](entries);
}

interface Choice {
  word: string;
  description: string;
}

function choicesOf({ commands, options }: CommandEntry): Choice[] {
  return [
    ...commands.map(({ name, description }) => ({ word: name, description })),
    ...options.map(({ long, description }) => ({ word: long, description })),
  ];
}

/** Returns the paths of commands as alternatives of a shell's `case`. */
function alternatives(entries: readonly CommandEntry[]): string {
  return entries.flatMap(({ path }) => (path === '' ? [] : [quoted(path)])).join('|');
}

function bash(entries: readonly CommandEntry[]): string {
  const cases = entries.map(
    (entry) =>
      `    ${quoted(entry.path)}) choices=${quoted(
        choicesOf(entry)
          .map(({ word }) => word)
          .join(' '),
      )} ;;`,
  );
  return `# Completions of zoetrope for bash: source <(zoetrope completion bash)
_zoetrope() {
  local at='' word choices=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$at\${at:+ }$word" in
      ${alternatives(entries)}) at="$at\${at:+ }$word" ;;
    esac
  done
  case "$at" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$choices" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _zoetrope zoetrope
`;
}

function zsh(entries: readonly CommandEntry[]): string {
  const cases = entries.map((entry) => {
    const choices = choicesOf(entry).map(({ word, description }) =>
      quoted(`${word.replaceAll(':', '\\:')}:${description}`),
    );
    return `    ${quoted(entry.path)}) choices=(${choices.join(' ')}) ;;`;
  });
  return `#compdef zoetrope
# Completions of zoetrope for zsh: source <(zoetrope completion zsh), after compinit
_zoetrope() {
  local at='' word
  local -a choices
  for word in \${words[2,CURRENT-1]}; do
    case "$at\${at:+ }$word" in
      ${alternatives(entries)}) at="$at\${at:+ }$word" ;;
    esac
  done
  case "$at" in
${cases.join('\n')}
  esac
  _describe zoetrope choices || _files
}
compdef _zoetrope zoetrope
`;
}

function fish(entries: readonly CommandEntry[]): string {
  const lines = entries.flatMap((entry) => {
    const here = `complete -c zoetrope -n ${quoted(`__zoetrope_at ${quoted(entry.path)}`, 'fish')}`;
    return [
      ...entry.commands.map(({ name, description }) => `${here} -a ${name} -d ${quoted(description, 'fish')}`),
      ...entry.options.map(
        ({ long, description }) => `${here} -l ${long.replace(/^--/, '')} -d ${quoted(description, 'fish')}`,
      ),
    ];
  });
  const paths = entries.flatMap(({ path }) => (path === '' ? [] : [quoted(path, 'fish')])).join(' ');
  return `# Completions of zoetrope for fish: zoetrope completion fish | source
function __zoetrope_at
    set -l at ''
    for word in (commandline -opc)[2..]
        set -l next (string trim "$at $word")
        contains -- $next ${paths}; and set at $next
    end
    test "$at" = "$argv[1]"
end
${lines.join('\n')}
`;
}

/** Quotes a text for a shell. In bash and zsh, every quote ends the quoted text. In fish, a quote can be escaped. */
function quoted(text: string, shell: 'posix' | 'fish' = 'posix'): string {
  return shell === 'fish'
    ? `'${text.replace(/['\\]/g, (character) => `\\${character}`)}'`
    : `'${text.replaceAll("'", `'\\''`)}'`;
}
