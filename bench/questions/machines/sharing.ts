// How long does it take to publish a catalogue, and to publish it again after one change?
// quick: --documents 400 --rounds 1
import fs from 'node:fs';
import path from 'node:path';
import { writeManifest } from '../../../test/support/catalogue.ts';
import { temporaryFolder, zoetrope } from '../../../test/support/server.ts';
import { corpusDocument } from '../../support/corpus.ts';
import { median, option } from '../../support/load.ts';

/*
 * `npm run bench sharing [--documents N] [--rounds R]`. Each time is the duration of the command `zoetrope catalogue
 * publish`, which a running service also starts. The bytes are the size of the files that followers fetch.
 */

const DOCUMENTS = option('documents', 98_000);
const ROUNDS = option('rounds', 5);
const TARGET_S = 5;
const ENV = {
  ZOETROPE_EMBEDDER: 'none',
  ZOETROPE_PUBLISH: 'on',
  ZOETROPE_NOSTR_KEY: '1'.repeat(64),
  ZOETROPE_PUBLIC_URL: 'https://gifs.example',
};

interface Publication {
  gifs: number;
  parts: number;
  changed: number;
}

using folder = temporaryFolder();
const data = path.join(folder.path, 'data');

async function run(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await zoetrope(data, args, ENV);
  if (code !== 0) throw new Error(stderr);
  return stdout;
}

async function publish(): Promise<Publication & { seconds: number }> {
  const start = performance.now();
  const published = JSON.parse(await run('catalogue', 'publish', '--quiet', '--json')) as Publication;
  return { ...published, seconds: (performance.now() - start) / 1_000 };
}

/** Returns the sizes of the files of the catalogue, by name. */
function sizes(): Map<string, number> {
  const own = path.join(data, 'catalogue');
  return new Map(fs.readdirSync(own).map((name) => [name, fs.statSync(path.join(own, name)).size]));
}

const rows = Array.from({ length: DOCUMENTS }, (_, n) => {
  const { characters, ...document } = corpusDocument(n);
  return { ...document, character: characters };
});
await run('add', writeManifest(path.join(folder.path, 'corpus.jsonl'), rows), '--quiet');
const whole = await publish();
const bytes = [...sizes().values()].reduce((sum, size) => sum + size, 0);
console.log(`${whole.gifs} GIFs in ${whole.parts} parts, ${bytes} bytes: ${whole.seconds.toFixed(1)} s`);

const shown = rows.filter(({ adult }) => !adult);
const seconds: number[] = [];
const fetched: number[] = [];
for (let round = 0; round < ROUNDS; round++) {
  const before = sizes();
  await run('gif', 'hide', shown[round]!.id, '--reason', 'other');
  const { changed, seconds: taken } = await publish();
  if (changed !== 1) throw new Error(`${changed} parts were written for one change`);
  const after = [...sizes()].filter(([name]) => name === 'manifest.json' || !before.has(name));
  fetched.push(after.reduce((sum, [, size]) => sum + size, 0));
  seconds.push(taken);
}
const range = `${Math.min(...seconds).toFixed(1)} to ${Math.max(...seconds).toFixed(1)}`;
const verdict = median(seconds) <= TARGET_S ? 'passed' : 'MISSED';
console.log(
  `one change: ${median(seconds).toFixed(1)} s (${range}; target ${TARGET_S} s), ${median(fetched)} bytes for followers  ${verdict}`,
);
