import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadConfig } from '../../config.ts';
import { addPack } from '../../languages/index.ts';
import { writeDictd } from '../../languages/testing/write-dictd.ts';
import type { Service } from '../../service/index.ts';
import { createLanguages } from './languages.ts';

/** Returns a service's functions, and its data folder, which is removed when the test ends. */
function languagesWith(settings: Record<string, string> = {}) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-languages-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  const service = { config: loadConfig(settings, folder), store: { folder } } as Service;
  return { folder, ...createLanguages(service) };
}

test.each([
  [{}, { provider: 'bundled', model: '' }, false],
  [{ ZOETROPE_EMBEDDER: 'onnx' }, { provider: 'onnx', model: 'multilingual-e5-small' }, true],
  [{ ZOETROPE_EMBEDDER: 'onnx', ZOETROPE_EMBEDDER_MODEL: '/srv/own' }, { provider: 'onnx', model: '/srv/own' }, false],
])('with %j, the model in use is named', async (settings, embedder, inUse) => {
  const languages = await languagesWith(settings).languages();
  expect(languages).toMatchObject({ embedder, models: [{ name: 'multilingual-e5-small', pulled: false, inUse }] });
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
