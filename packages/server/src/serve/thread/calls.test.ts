import { expect, test } from 'vitest';
import { ServiceError } from '../../base/errors.ts';
import type { FromThread } from '../messages.ts';
import { Calls } from './calls.ts';

function open() {
  const sent: FromThread[] = [];
  return { sent, calls: new Calls({ postMessage: (message: FromThread) => void sent.push(message) }) };
}

test('each answer goes to its caller, whatever the order', async () => {
  const { calls, sent } = open();
  const both = [1, 2].map((n) =>
    calls.ask<Float32Array>({ type: 'embed', query: `${n}`, deadlineMs: 9, rank: 'registered' }),
  );
  expect(sent.map((message) => 'question' in message && message.question)).toMatchObject([
    { query: '1' },
    { query: '2' },
  ]);
  const [first, second] = sent.map((message) => ('call' in message ? message.call : 0));
  calls.settle({ type: 'answer', call: second!, answer: Float32Array.of(2) });
  calls.settle({ type: 'answer', call: first!, answer: Float32Array.of(1) });
  expect(await Promise.all(both)).toEqual([Float32Array.of(1), Float32Array.of(2)]);
});

test.each([
  [true, ServiceError],
  [false, Error],
])('an error keeps its code and message (for callers: %s)', async (isForCallers, kind) => {
  const { calls } = open();
  const health = calls.ask({ type: 'health' });
  const error = { code: 'upstream_unavailable', message: 'the model is away', isForCallers, retryAfter: 5 };
  calls.settle({ type: 'answer', call: 1, error });
  const thrown = await health.catch((reason: unknown) => reason);
  expect((thrown as Error).constructor).toBe(kind);
  expect(thrown).toMatchObject({ code: error.code, message: error.message, ...(isForCallers && { retryAfter: 5 }) });
});

test('an answer that nobody waits for changes nothing', async () => {
  const { calls } = open();
  const health = calls.ask({ type: 'health' });
  calls.settle({ type: 'answer', call: 7, error: { code: undefined, message: 'late', isForCallers: false } });
  calls.settle({ type: 'answer', call: 1, answer: null });
  expect(await health).toBeNull();
});
