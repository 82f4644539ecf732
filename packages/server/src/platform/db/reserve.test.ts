import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Reserve, type ReserveUse } from './reserve.ts';

/**
 * Returns a reserve of full size, and a function that counts how many times the reserve can free disk space for this
 * use.
 */
function fullReserve() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-reserve-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  const reserve = new Reserve(folder);
  reserve.fill();
  const useUp = (use: ReserveUse | undefined) => {
    let steps = 0;
    while (reserve.release(use)) steps++;
    return steps;
  };
  return { folder, reserve, useUp };
}

test('a use keeps its share, however much the uses before it have taken', () => {
  const { useUp } = fullReserve();
  expect(useUp(undefined)).toBe(0);
  expect([useUp('report'), useUp('sign-out'), useUp('operator'), useUp('hide')]).toEqual([1, 1, 3, 2]);
});

test('a use takes its own share first, and then the shares of the uses before it', () => {
  const { reserve, useUp } = fullReserve();
  expect(reserve.release('hide')).toBe(true);
  expect(useUp('operator')).toBe(5);
  expect(useUp('hide')).toBe(1);
  expect(fullReserve().useUp('hide')).toBe(7);
});

test('what was taken is filled again, and files of earlier versions are removed', () => {
  const { folder, reserve, useUp } = fullReserve();
  fs.writeFileSync(path.join(folder, 'disk-reserve'), 'earlier');
  useUp('hide');
  reserve.fill();
  expect(fs.existsSync(path.join(folder, 'disk-reserve'))).toBe(false);
  expect(useUp('hide')).toBe(7);
});
