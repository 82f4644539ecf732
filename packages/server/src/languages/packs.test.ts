import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { CAN_CUT_POWER, cutPower, type Files, writeFiles } from '../platform/testing/power-cut.ts';
import { addPack, loadPacks, packsState, removePack } from './packs.ts';
import { writeDictd } from './testing/write-dictd.ts';

/** Returns a folder that is removed when the test ends. */
function newFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-packs-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  return folder;
}

/**
 * Returns the numbers of terms in the packs that a service finds in each of these states of a data folder. Rejects if a
 * pack is damaged.
 */
async function termsIn(states: readonly Files[]): Promise<Set<string>> {
  const found = new Set<string>();
  for (const state of states) {
    const data = newFolder();
    writeFiles(data, state);
    found.add((await loadPacks(data)).map(({ terms }) => terms).join());
  }
  return found;
}

test('the state changes whenever a dictionary is added, replaced or removed', async () => {
  const [data, sources] = [newFolder(), newFolder()];
  const states = [await packsState(data)];
  const note = async () => void states.push(await packsState(data));
  await addPack(data, writeDictd(sources, 'deu-eng', { kaulquappe: 'tadpole' })).then(note);
  await addPack(data, writeDictd(sources, 'deu-eng', { kaulquappe: 'tadpole', frosch: 'frog' })).then(note);
  await removePack(data, 'deu-eng').then(note);
  for (const [n, state] of states.slice(1).entries()) expect(state).not.toBe(states[n]);
  expect(states[3]).toBe(states[0]);
});

test('a dictionary of another version, or with a damaged description, is refused with what to do', async () => {
  const [data, sources] = [newFolder(), newFolder()];
  const info = await addPack(data, writeDictd(sources, 'deu-eng', { kaulquappe: 'tadpole' }));
  const refusalOf = (description: string) => {
    fs.writeFileSync(path.join(data, 'languages', 'deu-eng.json'), description);
    return loadPacks(data).then(
      () => 'none',
      (error: Error) => `${error.name}: ${error.message}`,
    );
  };
  expect(await refusalOf(JSON.stringify({ ...info, version: info.version + 1 }))).toMatch(
    /^OperatorError: The dictionary deu-eng was made by another version of Zoetrope: add it again/,
  );
  for (const damaged of ['{"name":', '{}', JSON.stringify({ ...info, terms: 'one' })])
    expect(await refusalOf(damaged)).toMatch(/^OperatorError: .*deu-eng\.json is damaged: delete it, then add/);
});

describe.runIf(CAN_CUT_POWER)('after a power cut at any moment', () => {
  test('of adding, replacing and removing a dictionary, it is on disk completely or not at all', async () => {
    const [data, sources] = [newFolder(), newFolder()];
    const add = (words: Record<string, string>) => () => addPack(data, writeDictd(sources, 'deu-eng', words));
    const added = await cutPower(data, add({ kaulquappe: 'tadpole' }));
    expect(await termsIn(added.during)).toEqual(new Set(['', '1']));
    expect(await termsIn(added.after)).toEqual(new Set(['1']));
    const replaced = await cutPower(data, add({ kaulquappe: 'tadpole', frosch: 'frog' }));
    expect(await termsIn(replaced.during)).toEqual(new Set(['1', '2']));
    expect(await termsIn(replaced.after)).toEqual(new Set(['2']));
    const removed = await cutPower(data, () => removePack(data, 'deu-eng'));
    expect(await termsIn(removed.during)).toEqual(new Set(['2', '']));
    expect(await termsIn(removed.after)).toEqual(new Set(['']));
  });
});
