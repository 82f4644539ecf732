// How long until one more GIF is found, what does it cost, and does that depend on the size of the catalogue?
// quick: --sizes 30,2000 --rounds 1

/*
 *   npm run bench delta [--sizes 1000,1000000] [--rounds 5]
 *
 * A catalogue of linked GIFs with vectors is written to the database and built. Then single files are added with
 * `zoetrope add` while the service runs. The settings are the defaults, except that links are not probed, http links
 * are shown, and the service has two threads. `visible` is the time from the start of the command until a search finds
 * the file; `CPU` is the CPU time of the command with all its processes.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { quantise } from '@zoetrope/search';
import { recordGifs } from '../../../packages/server/src/catalog/index.ts';
import { documentText } from '../../../packages/server/src/embed/index.ts';
import { type GifRecord, revision } from '../../../packages/server/src/records/index.ts';
import { openStore } from '../../../packages/server/src/service/store.ts';
import { saveVectors, setVectorsComplete } from '../../../packages/server/src/vectors/index.ts';
import { smallGif } from '../../../test/support/catalogue.ts';
import { programCommand, type Server, startServer, temporaryFolder, zoetrope } from '../../../test/support/server.ts';
import { makeClusters } from '../../support/clusters.ts';
import { corpusDocument, random } from '../../support/corpus.ts';

const { values } = parseArgs({
  options: { sizes: { type: 'string', default: '1000,1000000' }, rounds: { type: 'string', default: '5' } },
});
const SIZES = values.sizes.split(',').map(Number);
const ROUNDS = Math.min(Number(values.rounds), 6);
/** The default embedder. Its vectors are synthetic, because computing them for a million texts would take an hour. */
const MODEL = { id: 'use-lite-en@0.2.0/512', dimensions: 512 };
const BATCH = 500;
const TARGETS = { visible: 3, cpu: 1 };
/** Switches on the models that tests switch off, and sets the number of threads. */
const ENV = { ZOETROPE_RATING: 'relays', ZOETROPE_CAPTIONS: 'on', ZOETROPE_THREADS: '2' };

const clusters = makeClusters(MODEL.dimensions);

function linkedGif(i: number): GifRecord {
  const { id, title, tags, characters, text, popularity } = corpusDocument(i);
  return {
    ...{ id, title, tags: [...tags], characters: [...characters], series: [], text, alt: '', lang: '', popularity },
    ...{ sha256: null, verified: 'header', url: `https://gifs.example/${id}`, format: 'gif', width: 480, height: 270 },
    ...{ frames: null, durationMs: null, bytes: null, adult: false, source: '', fallback: [], lqip: null },
    toldBy: `bench#${id}`,
  };
}

async function fill(data: string, size: number): Promise<void> {
  const { db } = await openStore(data);
  for (let from = 0; from < size; from += BATCH) {
    const gifs = Array.from({ length: Math.min(BATCH, size - from) }, (_, n) => linkedGif(from + n));
    const vectors = gifs.map((gif, n) => {
      const vector = quantise(clusters.vectorOf(corpusDocument(from + n).topic, random(4_000_000_000 + from + n)));
      const source = createHash('sha256').update(documentText(gif)).digest('base64url');
      return { source, vector: new Uint8Array(vector.buffer) };
    });
    await db.transaction().execute(async (trx) => {
      await recordGifs(trx, gifs);
      await saveVectors(trx, MODEL.id, vectors);
    });
  }
  await setVectorsComplete(db, 'meaning', MODEL.id, await revision(db));
  await db.destroy();
}

/** Words that are in no other GIF, and not similar to any other word. */
const NAMES = ['quibblefox', 'zephyrwing', 'mangrovia', 'oxbowlark', 'tumblewick', 'vexillump', 'jorvikand'];

/** Writes a folder with one GIF. */
function writeFile(folder: string, n: number): { folder: string; word: string } {
  const word = NAMES[n]!;
  const target = path.join(folder, word);
  fs.mkdirSync(target);
  fs.writeFileSync(path.join(target, `${word}.gif`), smallGif(n * 31 + 5, 64));
  return { folder: target, word };
}

/** Adds a folder and returns the CPU seconds of the command with all its processes, as the shell reports them. */
async function addTimed(data: string, folder: string): Promise<number> {
  const command = programCommand(['add', folder, '--quiet'])
    .map((part) => `'${part}'`)
    .join(' ');
  const child = spawn('bash', ['-c', `TIMEFORMAT='cpu %U %S'; time ${command} >/dev/null`], {
    env: { ...process.env, ...ENV, ZOETROPE_LINKED_PROBE: 'off', ZOETROPE_LINKED_HTTP: 'show', ZOETROPE_DATA: data },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let text = '';
  for await (const chunk of child.stderr) text += chunk;
  const found = /cpu ([\d.]+) ([\d.]+)/.exec(text);
  if (found === null) throw new Error(text);
  return Number(found[1]) + Number(found[2]);
}

async function untilFound(server: Server, word: string): Promise<void> {
  for (;;) {
    const response = await server.get(`/api/v1/search?mode=text&q=${word}`);
    const { items } = (await response.json()) as { items: { title: string }[] };
    if (items[0]?.title === word) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
}

async function measure(size: number): Promise<{ visible: number; cpu: number; megabytes: number }> {
  using folder = temporaryFolder();
  const data = path.join(folder.path, 'data');
  await fill(data, size);
  // The first of the operator's own files adds the first vector of appearance, which requires a new base.
  const first = await zoetrope(data, ['add', writeFile(folder.path, 6).folder, '--quiet'], ENV);
  if (first.code !== 0) throw new Error(first.stderr);
  await using server = await startServer(data, ENV);
  const rounds: { visible: number; cpu: number }[] = [];
  for (let n = 0; n < ROUNDS; n++) {
    const file = writeFile(folder.path, n);
    const start = performance.now();
    const found = untilFound(server, file.word).then(() => (performance.now() - start) / 1000);
    const cpu = await addTimed(data, file.folder);
    rounds.push({ visible: await found, cpu });
  }
  const { size: bytes } = fs.statSync(path.join(data, 'zoetrope.db'));
  return {
    visible: median(rounds.map(({ visible }) => visible)),
    cpu: median(rounds.map(({ cpu }) => cpu)),
    megabytes: bytes / 1e6,
  };
}

console.log('     GIFs  visible, s  CPU, s  database, MB');
for (const size of SIZES) {
  const { visible, cpu, megabytes } = await measure(size);
  console.log(
    `${size.toLocaleString('en').padStart(9)}  ${visible.toFixed(2).padStart(10)}  ${cpu.toFixed(2).padStart(6)}  ${megabytes.toFixed(0).padStart(12)}`,
  );
  if (visible > TARGETS.visible) console.log(`MISSED visible in at most ${TARGETS.visible} s`);
  if (cpu > TARGETS.cpu) console.log(`MISSED at most ${TARGETS.cpu} s of CPU`);
}
