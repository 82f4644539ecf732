import type { Command } from 'commander';
import { loadConfig } from '../../config.ts';
import { addPack, listPacks, type PackInfo, removePack } from '../../languages/index.ts';
import { print, tell, toJson } from '../print.ts';

interface Options {
  json?: boolean;
}

/** Adds the commands for dictionaries of single languages. They work without a catalogue. */
export function addLanguageCommands(program: Command): void {
  const languages = program
    .command('languages')
    .description('list, add and remove dictionaries for searches in languages other than English');
  languages
    .command('list')
    .description('list the dictionaries that were added, with their licences')
    .option('--json', 'print the result as JSON')
    .action(async ({ json }: Options) => {
      const packs = await listPacks(dataFolder());
      if (json) return print(toJson(packs));
      print(packs.map(describe).join('\n') || 'No dictionaries added yet. See zoetrope languages add --help.');
    });
  languages
    .command('add')
    .description('add a dictionary; a running service uses it within a second')
    .argument('<file...>', 'an .index or .dict.dz file of FreeDict (freedict-deu-eng.index), EDICT, or CC-CEDICT')
    .action(async (files: string[]) => {
      for (const file of files) {
        tell(`Reading ${file}. A large dictionary takes half a minute and 1 GB of memory.`);
        print(`Added ${describe(await addPack(dataFolder(), file))}`);
      }
    });
  languages
    .command('remove')
    .description('remove a dictionary')
    .argument('<name>', 'name of the dictionary, from zoetrope languages list')
    .action(async (name: string) => {
      await removePack(dataFolder(), name);
      print(`Removed ${name}.`);
    });
}

function describe({ name, language, title, terms, licence }: PackInfo): string {
  return `${name}  ${language}, ${terms} words, ${title}\n  ${licence ?? 'The dictionary does not name its licence.'}`;
}

function dataFolder(): string {
  return loadConfig(process.env, process.cwd()).service.data;
}
