import { expect, test } from 'vitest';
import { Lines } from './lines.ts';

/**
 * Starts a download from each of these hosts. @returns the hosts whose download has begun, and a function that ends all
 * downloads
 */
function startDownloads(hosts: readonly string[]) {
  const lines = new Lines(50, 2);
  const begun: string[] = [];
  const gate = Promise.withResolvers<void>();
  const downloads = hosts.map((host) => {
    const job = { line: 'linked', host } as const;
    const leave = lines.enter(job);
    const act = async () => {
      begun.push(host);
      await gate.promise;
    };
    return lines.run(job, act).finally(leave);
  });
  const end = async () => {
    gate.resolve();
    await Promise.all(downloads);
  };
  return { begun, end };
}

test('a host gets four downloads at a time, and the next host does not wait for it', async () => {
  const { begun, end } = startDownloads([...Array<string>(10).fill('slow.example'), 'fast.example']);
  expect(begun).toEqual([...Array(4).fill('slow.example'), 'fast.example']);
  await end();
  expect(begun).toHaveLength(11);
});

test('sixteen downloads run at a time, because each can hold a file in memory', async () => {
  const { begun, end } = startDownloads(Array.from({ length: 20 }, (_, n) => `${n}.example`));
  expect(begun).toHaveLength(16);
  await end();
  expect(begun).toHaveLength(20);
});

test.each(['image', 'video'] as const)('two jobs of the kind %s run for each worker', async (line) => {
  const lines = new Lines(50, 3);
  const gate = Promise.withResolvers<void>();
  let begun = 0;
  const jobs = Array.from({ length: 8 }, () => {
    const leave = lines.enter({ line, host: '' });
    const act = async () => {
      begun++;
      await gate.promise;
    };
    return lines.run({ line, host: '' }, act).finally(leave);
  });
  expect(begun).toBe(6);
  gate.resolve();
  await Promise.all(jobs);
  expect(begun).toBe(8);
});

test('a full queue reports when to try again, and one host can take at most half of its places', () => {
  const lines = new Lines(2, 1);
  const busy = (message: string) => expect.objectContaining({ code: 'upstream_unavailable', message, retryAfter: 5 });
  for (const [line, what] of [
    ['image', 'previews'],
    ['video', 'videos'],
  ] as const) {
    const [leave] = [lines.enter({ line, host: '' }), lines.enter({ line, host: '' })];
    expect(() => lines.enter({ line, host: '' })).toThrow(busy(`2 ${what} are already being made`));
    leave!();
    lines.enter({ line, host: '' });
  }
  const ofHost = Array.from({ length: 10 }, () => lines.enter({ line: 'linked', host: 'slow.example' }));
  expect(() => lines.enter({ line: 'linked', host: 'slow.example' })).toThrow(
    busy('10 previews are already being made'),
  );
  for (let n = 0; n < 10; n++) lines.enter({ line: 'linked', host: `${n}.example` });
  expect(() => lines.enter({ line: 'linked', host: 'last.example' })).toThrow(
    busy('20 previews are already being made'),
  );
  for (const leave of ofHost) leave();
  lines.enter({ line: 'linked', host: 'slow.example' });
});
