import fs from 'node:fs';

/**
 * Returns the folder in which Debian installs the dictionaries that the tests read, or undefined if a dictionary is
 * missing.
 */
export function findDictionaries(): string | undefined {
  const files = ['dictd/freedict-fra-eng.index', 'dictd/freedict-eng-tur.index', 'edict/edict'];
  return files.every((file) => fs.existsSync(`/usr/share/${file}`)) ? '/usr/share' : undefined;
}
