// Does the search for similar GIFs find a GIF from an altered copy? (FOLDER... [--sheet FILE.html])
//
// 150 GIFs are copied: cropped by a tenth on each side, captioned, recompressed and mirrored. All GIFs in the folders
// are described and put into the vector scan, as in a build. Then each copy is searched for, to count how often its
// original is the nearest GIF. A second count is for GIFs that share a tag with a GIF: how many of them are among the
// first 12 similar GIFs? Tags come from a manifest.jsonl in the folder of the files, such as that of the starter
// catalogue. GIFs without tags are not counted themselves, but can take places among the 12. For a person to judge, the
// sheet shows 20 GIFs, each with the GIFs that look most similar.

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Value } from 'typebox/value';
import {
  findSimilar,
  fitLooks,
  LOOKS_DIMENSIONS,
  type LooksModel,
  projectLooks,
  quantise,
  VectorSearcher,
  vectorsInMemory,
} from '../packages/search/src/index.ts';
import { systemClock } from '../packages/server/src/base/clock.ts';
import { createLog } from '../packages/server/src/base/log.ts';
import { EmbedConfig } from '../packages/server/src/embed/config.ts';
import { createEmbedder, documentText } from '../packages/server/src/embed/index.ts';
import { createLooks, LOOKS_PLACES } from '../packages/server/src/enrich/index.ts';
import { wordsOfName } from '../packages/server/src/ingest/index.ts';
import { createMedia, MediaConfig, MediaRefusal } from '../packages/server/src/media/index.ts';
import { FolderBlobs } from '../packages/server/src/platform/blobs/index.ts';
import { meanInterval, randomNumbers, type Sample } from './metrics/bootstrap.ts';
import { COPIES, makeCopies } from './questions/similar-copies.ts';
import { writeSheet } from './support/similar-sheet.ts';

const CHOSEN = 150;
const SEED = 17;
const TARGET = 0.8;
const SHEET_ROWS = 20;
const SHEET_COLUMNS = 8;
/** Number of similar GIFs that people see without scrolling. */
const FIRST = 12;

/** A file and its descriptor. */
interface Described {
  readonly file: string;
  readonly descriptor: Float32Array;
}

const { values, positionals: folders } = parseArgs({ allowPositionals: true, options: { sheet: { type: 'string' } } });
if (folders.length === 0) {
  console.error('usage: npm run eval:similar -- FOLDER... [--sheet FILE.html]');
  process.exit(2);
}

const log = createLog('error');
const refuse = () => Promise.reject(new Error('nothing is downloaded'));
const media = createMedia({
  blobs: new FolderBlobs(path.join('data', 'unused')), // never used, because only frames are read and nothing is stored
  config: Value.Default(MediaConfig, {}) as MediaConfig,
  fetcher: { download: refuse, probe: refuse, beginning: refuse },
  log,
  clock: systemClock,
});
const looks = createLooks({ log });
try {
  await evaluate();
} finally {
  await Promise.all([media.close(), looks.close()]);
}

async function evaluate(): Promise<void> {
  const start = performance.now();
  const originals = await describeAll(findFiles(folders));
  const seconds = (performance.now() - start) / 1000;
  console.log(`${originals.length} GIFs described, ${((1000 * seconds) / originals.length).toFixed(0)} ms each`);
  const model = fitLooks(originals.map(({ descriptor }) => descriptor));
  const searcher = index(originals, model);
  const chosen = choose(originals, CHOSEN);
  const samples = await searchCopies(chosen, (descriptor) => {
    const [nearest] = searcher.search(projectLooks(model, descriptor), { limit: 1 }).documents;
    return originals[nearest!]?.file;
  });
  for (const kind of COPIES) report(kind, samples.get(kind)!);
  const pooled = report('pooled', [...samples.values()].flat());
  if (pooled < TARGET) process.exitCode = 1;
  await compareSubjects(originals, searcher);
  if (values.sheet !== undefined) await makeSheet(originals, model, searcher);
}

/** Returns the files, sorted by name. Of files with equal contents, returns only one. */
function findFiles(places: readonly string[]): string[] {
  const files = places.flatMap((place) =>
    fs
      .readdirSync(place, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(gif|webp)$/i.test(entry.name))
      .map((entry) => path.join(entry.parentPath, entry.name)),
  );
  const hash = (file: string): string => createHash('sha256').update(fs.readFileSync(file)).digest('hex');
  return [...new Map(files.sort().map((file) => [hash(file), file])).values()];
}

/** Describes all files. Refused files are omitted and reported. */
async function describeAll(files: readonly string[]): Promise<Described[]> {
  const found: Described[] = [];
  let frames: Promise<Uint8Array> | undefined;
  for (const [i, file] of files.entries()) {
    try {
      const here = frames ?? framesOf(fs.readFileSync(file));
      // The next file is decoded while the current one is described.
      frames = i + 1 < files.length ? framesOf(fs.readFileSync(files[i + 1]!)) : undefined;
      frames?.catch(() => {});
      found.push({ file, descriptor: await looks.describe(await here) });
    } catch (error) {
      if (!(error instanceof MediaRefusal)) throw error;
      console.log(`left out: ${file}: ${error.message}`);
    }
  }
  return found;
}

function framesOf(bytes: Uint8Array): Promise<Uint8Array> {
  return media.frames(bytes, LOOKS_PLACES);
}

function index(originals: readonly Described[], model: LooksModel): VectorSearcher {
  const vectors = originals.map(({ descriptor }) => quantise(projectLooks(model, descriptor)));
  return new VectorSearcher(vectorsInMemory(vectors, LOOKS_DIMENSIONS), 0);
}

/** Chooses some GIFs. The choice is the same in each run. */
function choose(originals: readonly Described[], count: number): Described[] {
  const random = randomNumbers(SEED);
  const drawn = originals.map((original) => ({ original, place: random() })).sort((a, b) => a.place - b.place);
  return drawn.slice(0, count).map(({ original }) => original);
}

async function searchCopies(
  chosen: readonly Described[],
  nearest: (descriptor: Float32Array) => string | undefined,
): Promise<Map<string, Sample[]>> {
  const samples = new Map<string, Sample[]>(COPIES.map((kind) => [kind, []]));
  for (const { file } of chosen) {
    const copies = await makeCopies(fs.readFileSync(file), LOOKS_PLACES);
    for (const kind of COPIES) {
      const descriptor = await looks.describe(await framesOf(copies[kind]));
      samples.get(kind)!.push({ group: file, value: nearest(descriptor) === file ? 1 : 0 });
    }
  }
  return samples;
}

/** The facts about a file apart from its picture. */
interface Words {
  title: string;
  tags: readonly string[];
  alt: string;
  text: string;
}

/** Returns each file's words from the manifest in its folder. If there is none, returns only the file's name. */
function readWords(files: readonly string[]): Words[] {
  const manifests = new Set(files.map((file) => path.join(path.dirname(file), 'manifest.jsonl')));
  const lines = Array.from(manifests)
    .filter((manifest) => fs.existsSync(manifest))
    .flatMap((manifest) =>
      fs
        .readFileSync(manifest, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Partial<Words> & { file: string })
        .map((words) => [path.join(path.dirname(manifest), words.file), words] as const),
    );
  const known = new Map(lines);
  return files.map((file) => ({
    ...{ title: wordsOfName(path.basename(file)), tags: [], alt: '', text: '' },
    ...known.get(file),
  }));
}

/**
 * Compares results by appearance alone with the served results. For each GIF, counts the GIFs that share a tag with it
 * and are among its first results.
 */
async function compareSubjects(originals: readonly Described[], looks: VectorSearcher): Promise<void> {
  const words = readWords(originals.map(({ file }) => file));
  if (words.every(({ tags }) => tags.length === 0)) return;
  const meaning = await embedAll(words);
  const options = { limit: FIRST, documents: originals.length };
  const orders = {
    'by appearance alone': { looks, meaning: undefined },
    'by appearance, then subject': { looks, meaning },
  };
  for (const [name, spaces] of Object.entries(orders)) {
    const samples = words.flatMap((one, document) => {
      const related = new Set(words.flatMap((other, i) => (i !== document && sharesTag(one, other) ? [i] : [])));
      const found = findSimilar(spaces, document, options).filter((other) => related.has(other)).length;
      const possible = Math.min(FIRST, related.size);
      return possible === 0 ? [] : [{ group: `${document}`, value: found / possible }];
    });
    report(`same tag, ${name}`, samples);
  }
}

function sharesTag(one: Words, other: Words): boolean {
  return one.tags.some((tag) => other.tags.includes(tag));
}

async function embedAll(words: readonly Words[]): Promise<VectorSearcher> {
  const config = Value.Default(EmbedConfig, {}) as EmbedConfig;
  const embedder = (await createEmbedder({ config, models: path.join('data', 'models'), log }))!;
  const texts = words.map((one) => documentText({ ...one, characters: [], series: [] }));
  const vectors = await embedder.embedDocuments(texts).finally(() => embedder.close());
  const rows = vectors.map((vector) => (vector === null ? undefined : quantise(vector)));
  return new VectorSearcher(vectorsInMemory(rows, embedder.dimensions), 0);
}

function report(name: string, samples: readonly Sample[]): number {
  const share = samples.reduce((sum, { value }) => sum + value, 0) / samples.length;
  const { low, high } = meanInterval(samples);
  const interval = `95 % ${low.toFixed(3)} to ${high.toFixed(3)}`;
  console.log(`${name.padEnd(37)} ${share.toFixed(3)}  (${interval}, n ${samples.length})`);
  return share;
}

async function makeSheet(originals: readonly Described[], model: LooksModel, searcher: VectorSearcher): Promise<void> {
  const rows = choose(originals, SHEET_ROWS).map(({ file, descriptor }) => {
    const hits = searcher.search(projectLooks(model, descriptor), { limit: SHEET_COLUMNS + 1 });
    const nearest = [...hits.documents].map((document, i) => ({
      file: originals[document]!.file,
      score: hits.scores[i]!,
    }));
    return { file, nearest: nearest.filter((near) => near.file !== file).slice(0, SHEET_COLUMNS) };
  });
  await writeSheet(rows, values.sheet!);
  console.log(`the sheet is ${values.sheet}`);
}
