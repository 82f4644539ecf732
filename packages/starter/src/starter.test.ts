import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseTable } from './catalogue/entry.ts';
import { motions } from './draw/motions.ts';
import { renderStarter } from './index.ts';

/** One small GIF for every motion. Each GIF has the next effect and the next ground. */
const moves = Object.keys(motions);
const added = ['confetti', 'rain', 'zzz', 'tears', 'lines', 'orbit', 'hills', 'shades', 'thinking', 'fireworks'];
const entries = parseTable(
  moves
    .map((motion, i) => {
      const ground = i % 2 === 0 ? 'clear' : 'sky rays';
      const caption = i % 3 === 0 ? 'HI!' : '';
      return `Test ${motion} | sun | ${motion} + ${added[i % added.length]} | ${caption} | 96 ${ground} | a, b, c, d | ${i + 1}`;
    })
    .join('\n'),
);

let folder: string;
let other: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'starter-'));
  other = await mkdtemp(join(tmpdir(), 'starter-'));
});
afterAll(async () => {
  await Promise.all([folder, other].map((each) => rm(each, { recursive: true, force: true })));
});

const digest = async (file: string) =>
  createHash('sha256')
    .update(await readFile(file))
    .digest('hex');

describe('renderStarter', () => {
  it('renders every motion to a looping GIF and writes the manifest', async () => {
    const seen: [number, number][] = [];
    const manifest = await renderStarter(folder, { entries, onProgress: (done, total) => seen.push([done, total]) });
    expect(seen.at(-1)).toEqual([entries.length, entries.length]);
    const lines = (await readFile(manifest, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map((line) => line.title)).toEqual(entries.map((entry) => entry.title));
    for (const [i, line] of lines.entries()) {
      const motion = motions[entries[i]!.motion]!;
      const meta = await sharp(join(folder, line.file)).metadata();
      expect(meta, line.file).toMatchObject({ format: 'gif', width: 96, loop: 0, pages: motion.frames });
      expect(meta.delay, line.file).toEqual(Array(motion.frames).fill(motion.delay));
    }
    expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('continues after an interruption, with the same bytes', async () => {
    const first = entries[0]!;
    const kept = join(other, `${first.name}.gif`);
    await writeFile(kept, 'finished earlier');
    await writeFile(join(other, `${entries[1]!.name}.gif.part`), 'half a GIF');
    const before = await stat(kept);
    await renderStarter(other, { entries });
    expect((await stat(kept)).mtimeMs).toBe(before.mtimeMs);
    for (const entry of entries.slice(1)) {
      const name = `${entry.name}.gif`;
      expect(await digest(join(other, name)), name).toBe(await digest(join(folder, name)));
    }
    expect((await readdir(other)).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('keeps heroes that turn about their foot or head on the canvas', async () => {
    const turning = moves.filter((move) => {
      const { pivot, across } = motions[move]!.pose(0.1);
      return pivot !== undefined && across === undefined && !motions[move]!.bleeds;
    });
    expect(turning.length).toBeGreaterThan(5);
    const alone = parseTable(
      turning.map((move) => `Alone ${move} | sun | ${move} |  | 96 clear | a, b, c, d | 1`).join('\n'),
    );
    const stage = await mkdtemp(join(tmpdir(), 'starter-'));
    await renderStarter(stage, { entries: alone });
    for (const { name, motion } of alone) {
      const picture = sharp(join(stage, `${name}.gif`), { animated: true }).ensureAlpha();
      const { data } = await picture.raw().toBuffer({ resolveWithObject: true });
      const isDrawn = (i: number) => data[4 * i + 3]! > 0;
      const drawn = Array.from({ length: data.length / 4 }, (_, i) => i).filter(isDrawn);
      expect(drawn.length, name).toBeGreaterThan(0);
      // The hero fills the canvas. It is not a dot in the middle.
      const rows = drawn.map((i) => Math.floor(i / 96) % 96);
      const columns = drawn.map((i) => i % 96);
      const spans = [rows, columns].map((places) => Math.max(...places.values()) - Math.min(...places.values()));
      expect(Math.max(...spans), name).toBeGreaterThan(80);
      const isAtEdge = (i: number) => [i % 96, Math.floor(i / 96) % 96].some((at) => at === 0 || at === 95);
      // The tips of a picture can touch the edge. A picture that is cut fills a long part of the edge.
      expect(drawn.filter(isAtEdge).length / motions[motion]!.frames, name).toBeLessThan(5);
    }
    await rm(stage, { recursive: true });
  });

  it('stops on request, without a manifest', async () => {
    const empty = await mkdtemp(join(tmpdir(), 'starter-'));
    const stop = new AbortController();
    const work = renderStarter(empty, {
      entries,
      signal: stop.signal,
      onProgress: (done) => done === 2 && stop.abort(new Error('enough')),
    });
    await expect(work).rejects.toThrow('enough');
    expect(await readdir(empty)).not.toContain('manifest.jsonl');
    await rm(empty, { recursive: true });
  });

  it('fails with the reason when a picture does not exist', async () => {
    const [wrong] = parseTable('Wrong | no-such-emoji | spin | | 96 clear | a, b, c, d | 1');
    await expect(renderStarter(other, { entries: [wrong!] })).rejects.toThrow('"no-such-emoji"');
  });
});
