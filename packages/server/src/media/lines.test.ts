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
