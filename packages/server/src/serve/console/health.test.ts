import { expect, test } from 'vitest';
import { createHealth } from './health.ts';

const DISK = { media: 1, builds: 2, starter: 3, models: 4, others: 5 };
const finding = (check: string) => ({ check, state: 'well' as const, message: '', items: [] });

/** Returns a report whose checks end when the test ends them. */
function healthAt(time: { now: number }) {
  const runs: PromiseWithResolvers<string>[] = [];
  const read = createHealth(
    async () => {
      const run = Promise.withResolvers<string>();
      runs.push(run);
      return { findings: [finding(await run.promise)], disk: DISK };
    },
    { now: () => time.now },
  );
  return { read, runs };
}

test('the findings are reported when the check has ended, and nobody waits for it', async () => {
  const time = { now: 5_000 };
  const { read, runs } = healthAt(time);
  const nothing = { checking: true, checkedAt: null, findings: [], disk: null };
  expect([await read(), await read()]).toEqual([nothing, nothing]);
  expect(runs).toHaveLength(1);
  runs[0]!.resolve('first');
  const first = { checkedAt: 5_000, findings: [finding('first')], disk: DISK };
  await expect.poll(read).toEqual({ ...first, checking: false });
  time.now += 299_999;
  expect(await read()).toEqual({ ...first, checking: false });
  time.now += 1;
  expect(await read()).toEqual({ ...first, checking: true });
  runs[1]!.resolve('second');
  await expect.poll(read).toMatchObject({ checking: false, findings: [finding('second')] });
});

test('a failure is reported, and then the check runs again', async () => {
  const { read, runs } = healthAt({ now: 0 });
  await read();
  runs[0]!.reject(new Error('it was killed'));
  const message = () =>
    read().then(
      () => '',
      ({ message }: Error) => message,
    );
  await expect.poll(message).toBe('it was killed');
  expect(await read()).toMatchObject({ checking: true });
  expect(runs).toHaveLength(2);
});
