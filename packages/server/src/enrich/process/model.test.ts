import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pino from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { OperatorError } from '../../base/errors.ts';
import { SYSTEM_PATH } from '../../platform/testing/system-path.ts';
import { Model, ModelError } from './model.ts';
import type { Told } from './testing/child.ts';

/** Returns a model in a real process, and the path of a file. While this file exists, the model cannot be loaded. */
function newModel({ maxRssBytes = 1e12 } = {}) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-model-'));
  const damage = path.join(folder, 'damage');
  const model = new Model<Told, string>({
    ...{ log: pino({ level: 'silent' }), does: 'repeats', advice: 'Repair it', limitMs: 60_000, maxRssBytes },
    program: () => ({ entry: new URL('./testing/child.ts', import.meta.url), args: [damage] }),
  });
  onTestFinished(async () => {
    await model.close();
    fs.rmSync(folder, { recursive: true });
  });
  return { model, damage };
}

test('a process that has become too large is replaced after its response', async () => {
  const { model } = newModel({ maxRssBytes: 1 });
  expect(await model.ask({ say: 'one' })).toBe('one');
  expect(model.pid).toBeUndefined();
  expect(await model.ask({ say: 'two' })).toBe('two');
});

test('a request that fails is not repeated, and the process stays for the next one', async () => {
  const { model } = newModel();
  await model.ask({ say: 'one' });
  const { pid } = model;
  const failure = await model.ask({ say: 'fail' }).catch((error) => error);
  expect(failure).toBeInstanceOf(ModelError);
  expect(failure.message).toBe('there is no picture');
  expect(await model.ask({ say: 'two' })).toBe('two');
  expect(model.pid).toBe(pid);
});

test('a process runs at the lowest priority', async () => {
  vi.stubEnv('PATH', SYSTEM_PATH);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { model } = newModel();
  await model.ask({ say: 'one' });
  expect(os.getPriority(model.pid)).toBe(os.constants.priority.PRIORITY_LOW);
});

test('a model that cannot be loaded is loaded again for the next request', async () => {
  const { model, damage } = newModel();
  fs.writeFileSync(damage, '');
  const failure = await model.ask({ say: 'one' }).catch((error) => error);
  expect(failure).toBeInstanceOf(OperatorError);
  expect(failure.message).toBe('The model that repeats cannot be loaded: the network is damaged. Repair it');
  fs.rmSync(damage);
  expect(await model.ask({ say: 'two' })).toBe('two');
});
