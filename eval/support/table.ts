import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';

/** Returns the rows of a tab-separated file without its header, or undefined if there is no such file. */
export function readTable(folder: string, file: string): string[][] | undefined {
  const lines = readLines(path.join(folder, file));
  return lines?.slice(1).map((line) => line.split('\t'));
}

/** Returns one JSON value per line, from a plain or compressed file, or undefined if there is no such file. */
export function readJsonLines<Row>(file: string): Row[] | undefined {
  return readLines(file)?.map((line) => JSON.parse(line) as Row);
}

/** Returns the lines of a plain or compressed file without the empty ones, or undefined if there is no such file. */
export function readLines(file: string): string[] | undefined {
  if (!fs.existsSync(file)) return undefined;
  const bytes = fs.readFileSync(file);
  const text = (file.endsWith('.gz') ? zlib.gunzipSync(bytes) : bytes).toString('utf8');
  return text.split(/\r?\n/).filter((line) => line !== '');
}
