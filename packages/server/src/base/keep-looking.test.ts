import { expect, test, vi } from 'vitest';
import { tellingOnce } from './keep-looking.ts';
import type { Log } from './log.ts';

test('each outage is logged once, and so is its end', async () => {
  const [info, error] = [vi.fn(), vi.fn()];
  let isDown = false;
  const look = tellingOnce({ info, error } as unknown as Log, 'could not look', async () => {
    if (isDown) throw new Error('down');
  });
  for (const next of [false, true, true, false, false, true, true]) {
    isDown = next;
    await look();
  }
  expect(error.mock.calls.map(([, message]) => message)).toEqual(['could not look', 'could not look']);
  expect(info.mock.calls).toEqual([['over: could not look']]);
});
