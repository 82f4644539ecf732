import { beforeEach, expect, test } from 'vitest';
import { DownloadError } from '../../platform/fetch/index.ts';
import { HostResting, Hosts } from './hosts.ts';

let now: number;
let hosts: Hosts;

beforeEach(() => {
  now = 0;
  hosts = new Hosts({ now: () => now });
});

const fails = (reason: 'timed_out' | 'unreachable' | 'gone') => async () => {
  throw new DownloadError(reason, 'failed');
};

/** Returns whether requests are sent to the host. */
async function isAsked(host = 'slow.example'): Promise<boolean> {
  return hosts
    .ask(`https://${host}/cat.gif`, async () => true)
    .catch((error) => {
      expect(error).toBeInstanceOf(HostResting);
      return false;
    });
}

async function failing(reason: Parameters<typeof fails>[0]): Promise<void> {
  await expect(hosts.ask('https://slow.example/cat.gif', fails(reason))).rejects.toThrow('failed');
}

test('a host rests for half a minute after its second timeout in a row', async () => {
  await failing('timed_out');
  await failing('timed_out');
  expect(await isAsked()).toBe(false);
  expect(await isAsked('other.example')).toBe(true);
  now = 29_999;
  expect(await isAsked()).toBe(false);
  now = 30_000;
  expect(await isAsked()).toBe(true);
});

test('a host rests at once if it cannot be reached', async () => {
  await failing('unreachable');
  expect(await isAsked()).toBe(false);
});

test('a response between two timeouts counts, even one that says that a file is gone', async () => {
  await failing('timed_out');
  expect(await isAsked()).toBe(true);
  await failing('timed_out');
  await failing('gone');
  await failing('timed_out');
  expect(await isAsked()).toBe(true);
});
