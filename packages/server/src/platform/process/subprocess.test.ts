import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { ProcessDied, Subprocess } from './index.ts';

interface Told {
  say: string[];
  thenDie?: boolean;
}

interface Heard {
  word: string;
  secret: string | null;
}

/** A time limit that no machine should reach. */
const LIMIT_MS = 120_000;

let child: Subprocess<Told, Heard>;

beforeEach(async () => {
  vi.stubEnv('ZOETROPE_SECRET', 'of the service');
  child = new Subprocess({ entry: new URL('./testing/child.ts', import.meta.url) });
  expect((await child.hear(LIMIT_MS)).word).toBe('ready');
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await child.end();
});

async function deathOf(asked: Promise<unknown>): Promise<ProcessDied> {
  const error = await asked.then(
    () => new Error('it answered'),
    (failure: unknown) => failure,
  );
  expect(error).toBeInstanceOf(ProcessDied);
  return error as ProcessDied;
}

test('responds to one message after another, and does not get the secrets of the service', async () => {
  expect(await child.ask({ say: ['one'] }, LIMIT_MS)).toEqual({ word: 'one', secret: null });
  expect(await child.ask({ say: ['two'] }, LIMIT_MS)).toEqual({ word: 'two', secret: null });
});

test('passes on the messages before the response', async () => {
  const parts: string[] = [];
  const { word } = await child.ask({ say: ['a part', 'another part', 'the end'] }, LIMIT_MS, ({ word: heard }) => {
    if (heard === 'the end') return true;
    parts.push(heard);
    return false;
  });
  expect([...parts, word]).toEqual(['a part', 'another part', 'the end']);
});

test('has the time limit for each message, not for all together', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { promise: isHeard, resolve: hear } = Promise.withResolvers<void>();
  const answer = child.ask({ say: ['a part'] }, 1_000, ({ word }) => {
    hear();
    return word === 'the end';
  });
  vi.advanceTimersByTime(900);
  await isHeard;
  vi.advanceTimersByTime(900);
  expect(child.death).toBeNull();
  process.kill(child.pid!, 'SIGUSR2');
  expect((await answer).word).toBe('the end');
});

test('is killed if it does not respond in time', async () => {
  const { isLate, message } = await deathOf(child.ask({ say: [] }, 10));
  expect([isLate, message]).toEqual([true, expect.stringContaining('it did not respond within 10 ms')]);
  await child.exited;
});

test('reports its last output when it dies, and rejects all later messages', async () => {
  const { isLate, message } = await deathOf(child.ask({ say: [], thenDie: true }, LIMIT_MS));
  expect([isLate, message]).toEqual([false, 'the process died: it ended with 3. out of memory']);
  expect(await deathOf(child.ask({ say: ['three'] }, LIMIT_MS))).toBe(child.death);
});

test('can be ended while it is busy', async () => {
  const asked = deathOf(child.ask({ say: [] }, LIMIT_MS));
  await child.end();
  expect((await asked).message).toContain('SIGKILL');
});
