import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { stringify } from 'smol-toml';
import { OperatorError } from '../../base/errors.ts';
import { CONFIG_FILES, fieldOf, problemOf } from '../../config.ts';
import { print } from '../print.ts';

interface Question {
  text: string;
  /** The setting that gets the answer. */
  setting: string;
  /** Converts the typed text to the setting's value. */
  read?: (answer: string) => string;
}

const QUESTIONS: readonly Question[] = [
  { text: 'Folder for all data', setting: 'ZOETROPE_DATA' },
  {
    text: 'Public URL, if others will use the service through a proxy (https://gifs.example)',
    setting: 'ZOETROPE_PUBLIC_URL',
    read: (answer) => (/^[\w.-]+\.\w+$/.test(answer) ? `https://${answer}` : answer),
  },
  { text: 'Port to listen on', setting: 'ZOETROPE_PORT' },
  { text: 'Your name, which apps show as "GIFs from NAME"', setting: 'ZOETROPE_OPERATOR_NAME' },
  { text: 'Your Nostr public key (npub), to sign in as operator', setting: 'ZOETROPE_ADMINS' },
];

/** Adds the command that writes a file of settings. */
export function addInitCommand(program: Command): void {
  program
    .command('init')
    .description('ask five questions, and write the settings to zoetrope.toml in the current folder')
    .action(() => init(process.cwd()));
}

async function init(folder: string): Promise<void> {
  const existing = CONFIG_FILES.find((name) => fs.existsSync(path.join(folder, name)));
  if (existing !== undefined) {
    throw new OperatorError(
      `This folder has a ${existing} already. Edit it; docs/operate/configuration.md explains it`,
    );
  }
  print('Press Enter to keep the value in brackets.');
  const settings: Record<string, Record<string, string | number>> = {};
  for await (const [{ setting }, answer] of answers()) {
    const [part, name, field] = fieldOf(setting);
    settings[part] ??= {};
    settings[part][name] = field.type === 'integer' ? Number(answer) : answer;
  }
  // Limits need the addresses of callers, which are in a header from the proxy.
  if (settings['service']?.['publicUrl']) settings['http'] = { trustedProxies: 1 };
  fs.writeFileSync(path.join(folder, CONFIG_FILES[0]), stringify(settings), { flag: 'wx' });
  print(`Wrote ${CONFIG_FILES[0]}. Next: zoetrope serve`);
}

/**
 * Yields each question that was answered, with the answer. If the setting does not allow an answer, the question is
 * asked again.
 */
async function* answers(): AsyncGenerator<[Question, string]> {
  const terminal = createInterface({ input: process.stdin });
  const lines = terminal[Symbol.asyncIterator]();
  try {
    for (const question of QUESTIONS) {
      const usual = fieldOf(question.setting)[2].default;
      for (;;) {
        process.stdout.write(`${question.text} [${usual}]: `);
        const { value = '', done } = await lines.next();
        if (done) throw new OperatorError('The questions were not answered, so nothing was written');
        const typed = value.trim();
        const answer = question.read?.(typed) ?? typed;
        if (answer === '' || answer === String(usual)) break;
        const problem = problemOf(question.setting, answer);
        if (problem === undefined) {
          yield [question, answer];
          break;
        }
        print(`It must be ${problem}.`);
      }
    }
  } finally {
    terminal.close();
  }
}
