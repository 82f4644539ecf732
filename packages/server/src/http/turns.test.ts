import { EventEmitter } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { expect, onTestFinished, test, vi } from 'vitest';
import { registerTurns, Turns } from './turns.ts';

/** Returns the hook that makes requests wait, and a function that creates a response. */
function listen(turns: Turns) {
  let wait: ((request: unknown, reply: unknown) => Promise<void>) | undefined;
  const addHook = (_: string, hook: typeof wait) => {
    wait = hook;
  };
  registerTurns({ addHook } as unknown as FastifyInstance, turns);
  return (isDestroyed = false) => {
    const raw = Object.assign(new EventEmitter(), { destroyed: isDestroyed });
    return { raw, waited: wait!({}, { raw }) };
  };
}

test('requests take turns in order, and other requests are served between two turns', async () => {
  const turns = new Turns();
  const events: string[] = [];
  const first = await turns.take();
  const others = ['b', 'c'].map(async (name) => {
    const end = await turns.take();
    events.push(name);
    queueMicrotask(end);
  });
  setImmediate(() => events.push('somebody else'));
  first();
  first();
  await Promise.all(others);
  expect(events).toEqual(['somebody else', 'b', 'c']);
  const end = await turns.take();
  end();
});

test('too many waiting requests are refused, and the others keep their places', async () => {
  const turns = new Turns();
  const first = await turns.take();
  const waiting = Array.from({ length: 128 }, () => turns.take());
  await expect(turns.take()).rejects.toMatchObject({ code: 'rate_limited', retryAfter: 2 });
  let end = first;
  for (const next of waiting) {
    end();
    end = await next;
  }
  end();
  await turn();
  (await turns.take())();
});

test('a turn that nobody ends is over after a second', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const turns = new Turns();
  await turns.take();
  const next = turns.take();
  vi.advanceTimersByTime(1_020);
  (await next)();
  (await turns.take())();
});

test('a turn ends with its response, and a caller who hung up while waiting holds up nobody', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const request = listen(new Turns());
  const first = request();
  await first.waited;
  request(true);
  let isServed = false;
  const last = request().waited.then(() => {
    isServed = true;
  });
  await vi.advanceTimersByTimeAsync(100);
  expect(isServed).toBe(false);
  first.raw.emit('close');
  await vi.advanceTimersByTimeAsync(100);
  expect(isServed).toBe(true);
  await last;
});
