import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/**
 * Writes a dictionary in the format of the DICT server, like those of FreeDict.
 * @param name the NAME in `freedict-NAME.index`
 * @param entries the text below each headword
 * @returns the path of the dictionary's index
 */
export function writeDictd(folder: string, name: string, entries: Readonly<Record<string, string>>): string {
  const about = { '00databaseinfo': 'A test dictionary\n\nAvailability:\n\n    Free for all\n\nNotes:\n' };
  const texts: string[] = [];
  const lines: string[] = [];
  let start = 0;
  for (const [headword, text] of Object.entries({ ...about, ...entries })) {
    const whole = headword in about ? text : `${headword} /pronounced/ <n>\n${text}\n`;
    const length = Buffer.byteLength(whole);
    lines.push(`${headword}\t${base64(start)}\t${base64(length)}\n`);
    texts.push(whole);
    start += length;
  }
  const index = path.join(folder, `freedict-${name}.index`);
  fs.writeFileSync(index, lines.join(''));
  fs.writeFileSync(path.join(folder, `freedict-${name}.dict.dz`), zlib.gzipSync(texts.join('')));
  return index;
}

function base64(value: number): string {
  const rest = Math.floor(value / 64);
  return (rest > 0 ? base64(rest) : '') + DIGITS[value % 64];
}
