import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadConfig } from '../../config.ts';
import { addPack } from '../../languages/index.ts';
import { writeDictd } from '../../languages/testing/write-dictd.ts';
import { type Database, migrate, openDatabase } from '../../platform/db/index.ts';
import { DATA_MIGRATIONS, type Service } from '../../service/index.ts';
import { createLanguages } from './languages.ts';

const BY = { actor: 'npub1operator', now: 5 };

/** Returns a service's functions, and its data folder, which is removed when the test ends. */
function languagesWith(settings: Record<string, string> = {}, db?: Database) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-languages-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  const service = {
    config: loadConfig(settings, folder),
    store: { folder, models: `${folder}/models` },
    registry: { db, ready: async () => {} },
  } as Service;
  return { folder, ...createLanguages(service, new AbortController().signal) };
}

test.each([
  [{}, { provider: 'bundled', model: '' }, false],
  [{ ZOETROPE_EMBEDDER: 'onnx' }, { provider: 'onnx', model: 'multilingual-e5-small' }, true],
  [{ ZOETROPE_EMBEDDER: 'onnx', ZOETROPE_EMBEDDER_MODEL: '/srv/own' }, { provider: 'onnx', model: '/srv/own' }, false],
])('with %j, the model in use is named', async (settings, embedder, inUse) => {
  const languages = await languagesWith(settings).languages();
  expect(languages).toMatchObject({
    embedder,
    models: [
      { name: 'all-minilm-l6-v2', language: 'en', pulled: false, inUse: false },
      { name: 'multilingual-e5-small', language: null, pulled: false, inUse },
    ],
  });
});

test('a download that fails reports the reason, and a model that is in use is not removed', async () => {
  const db = openDatabase(':memory:');
  onTestFinished(() => db.destroy());
  await migrate(db, DATA_MIGRATIONS);
  const name = 'multilingual-e5-small';
  // Nothing listens on port 1.
  const { folder, languages, pullModel, removeModel } = languagesWith(
    { ZOETROPE_MODELS_URL: 'http://127.0.0.1:1' },
    db,
  );
  await expect(pullModel(BY, '../other')).rejects.toMatchObject({ code: 'validation' });
  expect(await pullModel(BY, name)).toMatchObject({ pulling: { subject: name, done: 0 }, problem: '' });
  await expect(pullModel(BY, name)).rejects.toMatchObject({ code: 'conflict' });
  await expect.poll(async () => (await languages()).pulling, { timeout: 480_000 }).toBe(null);
  expect((await languages()).problem).toContain('127.0.0.1:1 cannot be reached');
  expect(fs.existsSync(`${folder}/models/${name}.partial`)).toBe(true);
  expect((await removeModel(BY, name)).problem).toBe('');
  expect(fs.existsSync(`${folder}/models/${name}.partial`)).toBe(false);
  const used = languagesWith({ ZOETROPE_EMBEDDER: 'onnx' }, db);
  await expect(used.removeModel(BY, name)).rejects.toMatchObject({
    code: 'validation',
    message: expect.stringContaining('is in use'),
  });
});

test('a dictionary is listed until it is removed, and others stay', async () => {
  const { folder, languages, removeDictionary } = languagesWith();
  await addPack(folder, writeDictd(folder, 'deu-eng', { kaulquappe: 'tadpole' }));
  await addPack(folder, writeDictd(folder, 'fra-eng', { chat: 'cat', chien: 'dog' }));
  expect((await languages()).dictionaries).toMatchObject([{ name: 'deu-eng' }, { name: 'fra-eng', terms: 2 }]);
  expect((await removeDictionary('deu-eng')).dictionaries).toMatchObject([{ name: 'fra-eng' }]);
  for (const name of ['deu-eng', '../languages/fra-eng']) {
    await expect(removeDictionary(name)).rejects.toMatchObject({ code: 'validation' });
  }
});
