import fc from 'fast-check';
import { describe, expect, inject, test } from 'vitest';
import type { Batch } from './batch.ts';
import { Documents } from './documents.ts';
import { Queries } from './queries.ts';

const LONG = 120_000;

describe('documents', () => {
  test('get their vectors in order, regardless of batches and failures', async () => {
    const texts = fc.array(fc.string({ maxLength: 30 }), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(fc.array(texts, { maxLength: 4 }), fc.infiniteStream(fc.boolean()), async (calls, fails) => {
        const documents = new Documents();
        const outcomes = calls.map((call) => documents.embed(call, undefined));
        const failures = new Map<string, number>();
        for (let batch = documents.take(); batch !== undefined; batch = documents.take()) {
          const key = batch.texts.join('\n');
          const failed = failures.get(key) ?? 0;
          failures.set(key, failed + 1);
          if (fails.next().value && failed < 4) batch.failed(new Error('again'));
          else batch.done(batch.texts.map(vectorOf));
        }
        expect(await Promise.all(outcomes)).toEqual(calls.map((call) => call.map(vectorOf)));
      }),
      { numRuns: 50 * inject('cases') },
    );
  });

  test('that always fail are rejected, and others are not', async () => {
    const documents = new Documents();
    const bad = documents.embed(['bad'], undefined);
    const good = documents.embed(['good'], undefined);
    for (let batch = documents.take(); batch !== undefined; batch = documents.take()) {
      if (batch.texts.includes('bad')) batch.failed(new Error('of these'));
      else batch.done([null]);
    }
    await expect(bad).rejects.toThrow('of these');
    await expect(good).resolves.toEqual([null]);
  });

  test('of an aborted call are not embedded again', async () => {
    const documents = new Documents();
    const controller = new AbortController();
    const call = documents.embed(Array.from({ length: 20 }, String), controller.signal);
    const flying = documents.take()!;
    controller.abort(new Error('stopped'));
    flying.failed(new Error('died'));
    await expect(call).rejects.toThrow('stopped');
    expect(documents.take()).toBeUndefined();
  });
});

describe('queries', () => {
  test('that are equal are embedded once', async () => {
    const queries = new Queries(10);
    const callers = Array.from({ length: 5 }, () => queries.embed('cat', LONG, 'registered'));
    const batch = queries.take()!;
    callers.push(queries.embed('cat', LONG, 'registered'));
    expect(batch.texts).toEqual(['cat']);
    expect(queries.take()).toBeUndefined();
    batch.done([new Float32Array([1])]);
    expect(new Set(await Promise.all(callers)).size).toBe(1);
    expect(queries.known('cat')).toEqual({ vector: new Float32Array([1]) });
  });

  test('without a vector are cached, too', async () => {
    const queries = new Queries(10);
    const call = queries.embed('日本', LONG, 'registered');
    queries.take()!.done([null]);
    await expect(call).resolves.toBeNull();
    expect(queries.known('日本')).toEqual({ vector: null });
  });

  test('of several texts get the sum of their vectors, of unit length, each its own', async () => {
    const queries = new Queries(10);
    const embed = (query: string, texts?: string[]) => queries.embed(query, LONG, 'registered', texts);
    const calls = [embed('cat'), embed('gato feliz', ['happy', 'cat']), embed('🫥', ['dotted']), embed('dog')];
    const batch = queries.take()!;
    expect(batch.texts).toEqual(['cat', 'happy', 'cat', 'dotted', 'dog']);
    const [x, y] = [new Float32Array([1, 0]), new Float32Array([0, 1])];
    batch.done([y, x, y, null, x]);
    const half = Math.fround(Math.SQRT1_2);
    expect(await Promise.all(calls)).toEqual([y, new Float32Array([half, half]), null, x]);
  });

  test('without a waiting caller are not embedded', async () => {
    const queries = new Queries(10);
    const late = queries.embed('late', 1, 'registered');
    const shared = [queries.embed('shared', 1, 'registered'), queries.embed('shared', LONG, 'registered')];
    await expect(late).rejects.toThrow('within 1 ms');
    await expect(shared[0]).rejects.toThrow('within 1 ms');
    const batch = queries.take() as Batch;
    expect(batch.texts).toEqual(['shared']);
    batch.done([null]);
    await expect(shared[1]).resolves.toBeNull();
  });

  test('of one batch fail together, and can be embedded later', async () => {
    const queries = new Queries(10);
    const calls = ['a', 'b'].map((query) => queries.embed(query, LONG, 'registered'));
    queries.take()!.failed(new Error('it died'));
    for (const call of calls) await expect(call).rejects.toMatchObject({ code: 'embedder_unavailable' });
    void queries.embed('a', LONG, 'registered').catch(() => {});
    expect(queries.take()!.texts).toEqual(['a']);
  });
});

test('a full queue prefers registered clients', async () => {
  const queries = new Queries(10);
  const strangers = Array.from({ length: 64 }, (_, n) => queries.embed(`stranger ${n}`, LONG, 'anonymous'));
  await expect(queries.embed('one more', LONG, 'anonymous')).rejects.toThrow('there are already 64 queries waiting');
  const clients = Array.from({ length: 10 }, (_, n) => queries.embed(`client ${n}`, LONG, 'registered'));
  for (const sentAway of strangers.slice(-10))
    await expect(sentAway).rejects.toThrow('there are already 64 queries waiting');
  const batch = queries.take()!;
  expect(batch.texts).toEqual(Array.from({ length: 10 }, (_, n) => `client ${n}`));
  batch.done(batch.texts.map(vectorOf));
  const next = queries.take()!;
  expect(next.texts).toEqual(Array.from({ length: 4 }, (_, n) => `stranger ${n}`));
  next.done(next.texts.map(vectorOf));
  expect((await Promise.all(clients)).map((vector) => vector?.[0])).toEqual(Array(10).fill('client 0'.length));
  expect(await strangers[0]).toEqual(vectorOf('stranger 0'));
  for (let rest = queries.take(); rest !== undefined; rest = queries.take()) rest.done(rest.texts.map(vectorOf));
  await Promise.all(strangers.slice(0, -10));
});

test('a stranger’s query gets priority when a registered client requests it too', async () => {
  const queries = new Queries(10);
  const asked = ['a', 'b'].map((query) => queries.embed(query, LONG, 'anonymous'));
  asked.push(queries.embed('b', LONG, 'registered'));
  for (const text of ['b', 'a']) {
    const batch = queries.take()!;
    expect(batch.texts).toEqual([text]);
    batch.done(batch.texts.map(vectorOf));
  }
  await Promise.all(asked);
});

function vectorOf(text: string): Float32Array {
  return new Float32Array([text.length, text.charCodeAt(0) || 0]);
}
