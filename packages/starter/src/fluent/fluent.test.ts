import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FluentError, fetchFluent } from '../index.ts';
import { describeFluent } from './fluent-names.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fluent-'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

const square = { width: 8, height: 16, channels: 4, background: '#ff0000' } as const;
const raw = async () => sharp({ create: square }).raw().toBuffer();

/** Writes a package as npm would: an animated face with tears of joy, and a still keycap. */
async function install(spec: string, home: string): Promise<void> {
  const root = join(home, 'node_modules', spec.slice(0, spec.lastIndexOf('@')));
  await mkdir(join(root, 'assets'), { recursive: true });
  const pixels = await raw();
  pixels.fill(0, 0, pixels.length / 2);
  const animated = await sharp(pixels, { raw: { width: 8, height: 16, channels: 4, pageHeight: 8 } })
    .webp({ delay: [40, 40] })
    .toBuffer();
  await writeFile(join(root, 'assets', '1f602.webp'), animated);
  await writeFile(join(root, 'assets', '0031-fe0f-20e3.webp'), await sharp({ create: square }).webp().toBuffer());
  await writeFile(join(root, 'package.json'), '{}');
}

describe('fetchFluent', () => {
  it('lists the animated files of every package, and fetches no package twice', async () => {
    const fetched: string[] = [];
    const counting = async (spec: string, home: string) => {
      fetched.push(spec);
      await install(spec, home);
    };
    await fetchFluent(folder, { install: counting });
    const manifest = await fetchFluent(folder, { install: counting });
    expect(fetched).toEqual([1, 2, 3, 4].map((part) => `@lobehub/fluent-emoji-anim-${part}@1.0.0`));
    const lines = (await readFile(manifest, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toHaveLength(4);
    expect(lines[0]).toMatchObject({ title: 'Face with tears of joy', lang: 'en', source: 'starter:fluent' });
    expect(await readFile(join(folder, lines[0].file))).toBeDefined();
  });

  it('reports that npm is missing', async () => {
    vi.stubEnv('npm_execpath', '');
    vi.stubEnv('PATH', folder);
    await expect(fetchFluent(folder)).rejects.toThrow(FluentError);
    await expect(fetchFluent(folder)).rejects.toThrow('npm was not found');
  });

  it('reports the error message of npm when the network is missing', async () => {
    vi.stubEnv('npm_config_registry', 'http://127.0.0.1:9/');
    vi.stubEnv('npm_config_fetch_retries', '0');
    vi.stubEnv('npm_config_cache', join(folder, 'cache'));
    await expect(fetchFluent(folder)).rejects.toThrow(/npm could not fetch .*ECONNREFUSED/);
  });
});

describe('describeFluent', () => {
  it('takes the name from the code points and the words from the keywords', () => {
    const joy = describeFluent('1f602')!;
    expect(joy.title).toBe('Face with tears of joy');
    expect(joy.tags).toEqual(expect.arrayContaining(['lol', 'haha', 'laugh']));
  });

  it('has no emoticons among its tags', () => {
    const { tags } = describeFluent('1f600')!;
    expect(tags).toContain('smiley');
    for (const tag of tags) expect(tag).toMatch(/^[\p{L}\p{N}]/u);
  });

  it('ranks skin tones below the plain gesture', () => {
    const plain = describeFluent('1f44d')!;
    const dark = describeFluent('1f44d-1f3ff')!;
    expect(dark.title).toBe('Thumbs up, dark skin tone');
    expect(dark.popularity).toBeLessThan(plain.popularity);
  });

  it('ranks popular emoji by their popularity, and all others below them', () => {
    const [joy, heart, sun, turtle] = ['1f602', '2764', '1f31e', '1f422'].map(
      (code) => describeFluent(code)!.popularity,
    );
    expect(joy).toBeGreaterThan(heart!);
    expect(heart).toBeGreaterThan(sun!);
    expect(sun).toBeGreaterThan(turtle!);
  });

  it('has no name for other characters', () => {
    expect(describeFluent('0000')).toBeUndefined();
  });
});
