import { expect, it } from 'vitest';
import { filesIn } from './dropped.ts';

const file = (name: string) => ({
  isFile: true,
  isDirectory: false,
  file: (found: (file: File) => void) => found(new File([], name)),
});

/** Returns a folder as browsers show it: its entries come in parts. */
function folder(...parts: object[][]): object {
  return {
    ...{ isFile: false, isDirectory: true },
    createReader: () => ({ readEntries: (found: (entries: object[]) => void) => found(parts.shift() ?? []) }),
  };
}

async function namesIn(files: string[], entries: (object | null)[]): Promise<string[]> {
  const items = entries.map((entry) => ({ webkitGetAsEntry: () => entry }));
  const data = { files: files.map((name) => new File([], name)), items } as unknown as DataTransfer;
  return (await filesIn(data)).map(({ name }) => name);
}

it('all pictures in dropped folders are found, and no other files', async () => {
  const inner = folder([file('b.webp'), file('notes.txt')]);
  const names = await namesIn(['summer'], [folder([file('a.gif')], [inner], [file('c.GIF')])]);
  expect(names).toEqual(['a.gif', 'b.webp', 'c.GIF']);
});

it('all files that were dropped without a folder are returned, so that each refused file gets a reason', async () => {
  expect(await namesIn(['a.gif', 'notes.txt'], [file('a.gif'), file('notes.txt')])).toEqual(['a.gif', 'notes.txt']);
  expect(await namesIn(['a.gif'], [null])).toEqual(['a.gif']);
});
