import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { originalKey } from '../../packages/server/src/media/index.ts';
import { type FakeS3, startFakeS3 } from '../../packages/server/src/platform/blobs/testing/fake-s3.ts';
import { FILES, writeFiles } from '../support/catalogues.ts';
import { prepareData } from '../support/prepared-data.ts';
import { s3Environment } from '../support/s3.ts';
import { temporaryFolder, zoetrope } from '../support/server.ts';

const folder = temporaryFolder();
const data = path.join(folder.path, 'data');
const media = path.join(data, 'media');
let fake: FakeS3;
let env: Record<string, string>;

beforeAll(async () => {
  fake = await startFakeS3();
  env = { ZOETROPE_EMBEDDER: 'none', ...s3Environment(fake.config) };
  await prepareData(inject('prepared'), folder.path, writeFiles);
});

afterAll(async () => {
  await fake.stop();
  folder[Symbol.dispose]();
});

/** Returns every file below a folder, keyed by its path in the folder. */
function filesIn(root: string): Map<string, Buffer> {
  const entries = fs.readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => path.join(entry.parentPath, entry.name));
  return new Map(paths.map((file) => [path.relative(root, file), fs.readFileSync(file)]));
}

const objects = () => new Map([...fake.objects].map(([key, bytes]) => [key.replace('some/prefix/', ''), bytes]));
const sorted = (files: Map<string, Buffer>) => [...files].sort(([a], [b]) => (a < b ? -1 : 1));

async function copy(...args: string[]) {
  const { code, stdout, stderr } = await zoetrope(data, ['media', ...args, '--json', '--quiet'], env);
  return { code, stderr, ...(JSON.parse(stdout || '{}') as { copied?: number; there?: number; damaged?: unknown[] }) };
}

describe('zoetrope media', () => {
  test('pushes originals first, then missing previews', async () => {
    expect(await copy('push', '--originals')).toMatchObject({ code: 0, copied: FILES, there: 0 });
    expect([...objects().keys()].every((key) => key.startsWith('orig/'))).toBe(true);
    const derivatives = filesIn(media).size - FILES;
    expect(await copy('push')).toMatchObject({ code: 0, copied: derivatives, there: FILES });
    expect(sorted(objects())).toEqual(sorted(filesIn(media)));
    expect(await copy('push')).toMatchObject({ code: 0, copied: 0, there: FILES + derivatives });
  });

  test('pulls files that are lost or have another length', async () => {
    const whole = filesIn(media);
    const [first, second] = [...whole.keys()];
    fs.rmSync(path.join(media, first!));
    fs.appendFileSync(path.join(media, second!), 'more');
    expect(await copy('pull')).toMatchObject({ code: 0, copied: 2, there: whole.size - 2 });
    expect(sorted(filesIn(media))).toEqual(sorted(whole));
  });

  test('resumes after the bucket was unavailable', async () => {
    fake.objects.clear();
    let puts = 0;
    fake.fault = (method) => (method === 'PUT' && ++puts > 3 ? 403 : undefined);
    const { code, stderr } = await copy('push');
    expect(code).toBe(1);
    expect(stderr).toBe('the media store is unavailable: PUT returned 403 InternalError\n');
    fake.fault = () => undefined;
    const { copied, there } = await copy('push');
    expect(there).toBeGreaterThan(0);
    expect(copied! + there!).toBe(filesIn(media).size);
  });

  test('does not copy damaged files, and lists them', async () => {
    const original = [...filesIn(media).keys()].find((key) => key.startsWith('orig/'))!;
    const whole = fs.readFileSync(path.join(media, original));
    fs.writeFileSync(path.join(media, original), whole.toString('latin1').replace('GIF89a', 'GIF87a'), 'latin1');
    fake.objects.delete(`some/prefix/${original}`);
    const damage = 'its bytes do not have the hash in its name';
    expect(await copy('push')).toMatchObject({ code: 1, copied: 0, damaged: [{ key: original, damage }] });
    expect(objects().has(original)).toBe(false);
    fs.writeFileSync(path.join(media, original), whole);
    const { stdout } = await zoetrope(data, ['media', 'push', '--quiet'], env);
    expect(stdout).toContain('1 file copied');
  });

  test('names at most twenty damaged files, and counts the others', async () => {
    const name = (n: number) => n.toString(16).padStart(64, '0');
    const files = Array.from({ length: 21 }, (_, n) => path.join(media, originalKey(name(n), 'gif')));
    const pushDamaged = (count: number) => {
      for (const file of files.slice(0, count)) {
        fs.mkdirSync(path.dirname(file), { recursive: true });
        fs.writeFileSync(file, 'damaged');
      }
      return zoetrope(data, ['media', 'push', '--quiet'], env);
    };
    const few = (await pushDamaged(20)).stdout;
    expect(few).toContain('20 are damaged and were not copied');
    expect(few.match(/orig\/.*: /g)).toHaveLength(20);
    expect(few).not.toContain('more');
    const { code, stdout } = await pushDamaged(21);
    expect([code, stdout.match(/orig\/.*: /g)?.length]).toEqual([1, 20]);
    expect(stdout).toContain('21 are damaged and were not copied');
    expect(stdout).toContain('... and 1 more; --json lists all of them\n');
    for (const file of files) fs.rmSync(file);
  });

  test('names the setting that is missing or wrong', async () => {
    const none = await zoetrope(data, ['media', 'push'], {});
    expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining('set ZOETROPE_S3_ENDPOINT') });
    const wrong = await zoetrope(data, ['media', 'push'], { ...env, ZOETROPE_S3_SECRET_KEY: 'guessed' });
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('set ZOETROPE_S3_SECRET_KEY') });
    const serve = await zoetrope(data, ['serve'], { ...env, ZOETROPE_S3_BUCKET: 'gone' });
    expect(serve).toMatchObject({ code: 1, stderr: expect.stringContaining('ZOETROPE_S3_BUCKET') });
  });
});
