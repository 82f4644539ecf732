import { ID_PATTERN } from '../../../packages/contract/src/index.ts';
import { readWebAddress } from '../../../packages/server/src/base/web-address.ts';
import { recordGifs } from '../../../packages/server/src/catalog/index.ts';
import { InputRefusal } from '../../../packages/server/src/ingest/candidate.ts';
import { parseRow, toCandidate, toLinkedGif } from '../../../packages/server/src/ingest/sources/manifest-row.ts';
import type { GifWords } from '../../../packages/server/src/records/index.ts';
import { openStore, type Store } from '../../../packages/server/src/service/store.ts';
import { drawJson } from '../change-json.ts';
import { pick } from '../draw.ts';
import { type Checker, Fault, mustBePlain, type Setup } from '../target.ts';

const FOLDER = '/manifests';
const MANIFEST = `${FOLDER}/gifs.jsonl`;
const ID = new RegExp(ID_PATTERN);
/** Maximum length of a line of a manifest. Longer lines are refused without being read. */
const MAX_LINE = 1_000_000;
/** One in this number of rows is also written to a catalogue. Writing takes ten times as long as reading. */
const STORED = 64;

const WORDS = {
  ...{ title: 'Tom &amp; Jerry', tags: ['cat', 'mouse', '&lt;3'], character: ['Tom', 'Jerry'], series: ['Cartoons'] },
  ...{ text: 'wait&hellip;\nwhat', alt: 'A cat runs', lang: 'en', adult: false, popularity: 12.5, source: 'a list' },
};
const FACTS = {
  ...{ sha256: 'ab'.repeat(32), width: 320, height: 240, frames: 12, duration: 1.25, bytes: 123_456, format: 'gif' },
  fallback: ['https://b.example/x.gif', 'https://c.example/x%20y.gif'],
};
const ROWS: readonly object[] = [
  { file: 'cats/tom.gif', ...WORDS },
  { id: 'tom-1.gif', url: 'https://a.example/ä b.gif?s=1#top', ...WORDS, ...FACTS },
  { file: 'cats/tom.gif', url: 'http://a.example/tom.webp', ...FACTS },
  { url: 'https://a.example/x.gif', title: 'גיף שמח 猫', tags: [] },
];

export async function openRows({ folder }: Setup): Promise<Checker<string>> {
  const { db } = await openStore(folder);
  return {
    draw: (random) => drawJson(random, pick(random, ROWS)),
    check: (line, number) => checkRow(db, line, number),
  };
}

function checkRow(db: Store['db'], line: string, number: number): string | Promise<string> {
  if (line.length > MAX_LINE) return 'too_long';
  try {
    const row = parseRow(line);
    const { file, url } = row;
    if (file !== undefined) checkCandidate(toCandidate({ ...row, file }, MANIFEST));
    if (url === undefined) return 'file';
    const gif = toLinkedGif({ ...row, url }, MANIFEST);
    checkWords(gif);
    if (!ID.test(gif.id)) throw new Fault(`the id is ${gif.id}`);
    for (const address of [gif.url, ...gif.fallback]) checkAddress(address);
    return number % STORED === 0 ? recordGifs(db, [gif]).then(() => 'stored') : 'linked';
  } catch (error) {
    if (error instanceof InputRefusal) return error.reason;
    throw error;
  }
}

function checkCandidate({ path, told }: ReturnType<typeof toCandidate>): void {
  checkWords(told);
  if (!path.startsWith(`${FOLDER}/`)) throw new Fault(`the path ${path} is outside of the folder`);
}

function checkWords({ title, tags, characters, series, text, alt }: GifWords): void {
  for (const word of [title, ...tags, ...characters, ...series]) mustBePlain('a word', word);
  for (const words of [text, alt]) mustBePlain('a text', words, 'lines');
}

function checkAddress(address: string): void {
  const read = readWebAddress(address);
  if (!('url' in read) || read.url !== address) throw new Fault(`${address} is not canonical`);
}
