import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import os from 'node:os';
import pino from 'pino';
import { Value } from 'typebox/value';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { EmbedConfig } from './config.ts';
import { createEmbedder, type Embedder } from './embedder.ts';
import { embedWithTable, openMeaningTable, readMeaningTable } from './table.ts';
import { closeTestEmbedders, cosine, createTestEmbedder } from './testing/test-embedder.ts';

/** A time limit that no test reaches, because tests wait for events. */
const LONG = 120_000;
const unavailable = { code: 'embedder_unavailable' };

afterEach(closeTestEmbedders);

describe('the bundled embedder', () => {
  test('is ready after it has passed a first test', async () => {
    const embedder = await createTestEmbedder();
    expect(embedder.state()).toMatchObject({ state: 'starting', why: null });
    await ready(embedder);
    expect(embedder.state().since).toBeGreaterThan(Date.now() - LONG);
    expect(embedder).toMatchObject({ id: 'use-lite-en@0.2.0/512', dimensions: 512 });
  });

  test('gives vectors of unit length, the same for the same text', async () => {
    const embedder = await createTestEmbedder();
    const [query, again] = [
      await embedder.embedQuery('happy dance', LONG),
      await embedder.embedQuery('happy dance', LONG),
    ];
    const [document, other] = await embedder.embedDocuments(['happy dance', 'rain']);
    expect(again).toEqual(query);
    expect(document).toEqual(query);
    expect(other).not.toEqual(query);
    expect(query).toHaveLength(512);
    expect(cosine(query, query)).toBeCloseTo(1, 5);
  });

  test('gives all forms of an emoji one vector, even if they come in different batches', async () => {
    const embedder = await createTestEmbedder();
    const embed = (query: string) => embedder.embedQuery(query, LONG);
    const queries = ['◼️', 'one', '◼', 'two', '👍', 'three', '👍🏽'].map(embed);
    const [square, , plainSquare, , thumb, , darkThumb] = await Promise.all(queries);
    expect(square).toBe(plainSquare);
    expect(thumb).toBe(darkThumb);
    expect(square).not.toEqual(thumb);
  });

  test('gives similar vectors to texts with similar meanings', async () => {
    const embedder = await createTestEmbedder();
    const [cat, kitten, car] = await embedder.embedDocuments(['a cat', 'a kitten', 'a car']);
    expect(cosine(cat!, kitten!)).toBeGreaterThan(cosine(cat!, car!) + 0.1);
  });

  test('gives a query in another language the vector of its English meaning, and none to unknown words', async () => {
    const embedder = await createTestEmbedder();
    const embed = (query: string) => embedder.embedQuery(query, LONG);
    const [foreign, english] = [await embed('hund und katze'), await embed('dog and cat')];
    const unlike = await embed('wedding cake');
    expect(cosine(foreign, english)).toBeGreaterThan(cosine(foreign, unlike) + 0.3);
    expect(cosine(foreign, foreign)).toBeCloseTo(1, 5);
    expect(await embed('xqzvw kkjhgf')).toBeNull();
  });
});

describe('the table of meanings', () => {
  const open = () => createTestEmbedder({ provider: 'table' });

  test('is ready at once and needs no process', async () => {
    const embedder = await open();
    expect(embedder.state()).toMatchObject({ state: 'ready', why: null });
    expect(embedder.state().since).toBeGreaterThan(Date.now() - LONG);
    expect(embedder).toMatchObject({ id: expect.stringMatching(/^table:[0-9a-f]{16}\/384$/), dimensions: 384 });
    expect(embedder.pids).toEqual([]);
  });

  test('gives vectors of unit length, the same for queries and documents', async () => {
    const embedder = await open();
    const query = await embedder.embedQuery('happy dance', LONG);
    const [document, other] = await embedder.embedDocuments(['happy dance', 'rain']);
    expect(document).toEqual(query);
    expect(other).not.toEqual(query);
    expect(query).toHaveLength(384);
    expect(cosine(query, query)).toBeCloseTo(1, 5);
  });

  test('gives all forms of an emoji one vector, and a word of another language that of its English meaning', async () => {
    const embedder = await open();
    const embed = (query: string) => embedder.embedQuery(query, LONG);
    const [square, plainSquare, thumb, darkThumb] = await Promise.all(['◼️', '◼', '👍', '👍🏽'].map(embed));
    expect(square).toEqual(plainSquare);
    expect(thumb).toEqual(darkThumb);
    expect(square).not.toEqual(thumb);
    expect(cosine(await embed('hund'), await embed('dog'))).toBeGreaterThan(0.8);
  });

  test('gives similar vectors to texts with similar meanings, and to a misspelt word', async () => {
    const embedder = await open();
    const [cat, kitten, car] = await embedder.embedDocuments(['a cat', 'a kitten', 'a car']);
    expect(cosine(cat!, kitten!)).toBeGreaterThan(cosine(cat!, car!) + 0.1);
    const [right, wrong, unlike] = await embedder.embedDocuments(['chimpanzee', 'chimpanzzee', 'wedding']);
    expect(cosine(right!, wrong!)).toBeGreaterThan(cosine(right!, unlike!) + 0.1);
  });

  test.each([
    [
      'is something else',
      Buffer.from('{}'),
      'A table of meanings is damaged: this is no table of meanings. In a clone, run',
    ],
    ['is truncated', readMeaningTable('meaning').slice(0, -1), /is damaged: a table of meanings of \d+ bytes, not \d+/],
  ])('is refused with advice if its file %s', (_, bytes, message) => {
    expect(() => openMeaningTable(bytes)).toThrow(message);
  });

  test('stops when a call is aborted', async () => {
    const embedder = await open();
    const controller = new AbortController();
    const call = embedder.embedDocuments(Array(10_000).fill('happy dance'), controller.signal);
    controller.abort();
    await expect(call).rejects.toThrow('aborted');
  });
});

describe('the table for short queries', () => {
  const table = openMeaningTable(readMeaningTable('queries'));
  const queries = ['happy dance', 'angry cat', 'birthday cake', 'car crash', 'good morning', 'rain'];

  test('gives a query a vector that is near to that of the encoder', async () => {
    const embedder = await createTestEmbedder({ provider: 'bundled' });
    const wanted = await Promise.all(queries.map((query) => embedder.embedQuery(query, LONG)));
    for (const [i, query] of queries.entries()) {
      const cosines = wanted.map((vector) => cosine(embedWithTable(table, query, undefined), vector));
      expect(cosines[i], query).toBeGreaterThan(0.7);
      expect(Math.max(...cosines), query).toBe(cosines[i]);
    }
  });

  test('is only for the encoder that it imitates', async () => {
    expect((await createTestEmbedder({ provider: 'bundled' })).table).toEqual({ name: 'queries', queries: 'short' });
    expect((await createTestEmbedder({ provider: 'table' })).table).toEqual({ name: 'meaning', queries: 'all' });
    const http = { provider: 'http', url: 'http://127.0.0.1:1' } as const;
    expect((await createTestEmbedder(http)).table).toBeUndefined();
  });
});

describe.each(['bundled', 'table'] as const)('the embedder that comes with Zoetrope: %s', (provider) => {
  test('has no vector for a text without words, and keeps the order', async () => {
    const embedder = await createTestEmbedder({ provider });
    const [empty, sad, spaces] = await embedder.embedDocuments(['', 'sad', ' \t ']);
    expect([empty, spaces]).toEqual([null, null]);
    expect(sad).toEqual(await embedder.embedQuery('sad', LONG));
    expect(await embedder.embedQuery('', LONG)).toBeNull();
    expect(await embedder.embedDocuments([])).toEqual([]);
  });

  test('embeds texts of any length and of any characters', async () => {
    const embedder = await createTestEmbedder({ provider });
    const strange = [
      'word '.repeat(20_000),
      'a'.repeat(500),
      '\u0000\ud800\udfff\uffff',
      '🙂'.repeat(2000),
      '\u202eabc',
      'ca\u200bt',
      '𐌰𐌱𐌲 ᚠᚢᚦ',
      'cat 猫 кот قطة',
    ];
    for (const vector of await embedder.embedDocuments(strange)) {
      if (vector !== null) expect(cosine(vector, vector)).toBeCloseTo(1, 5);
    }
  });
});

describe('an embedder that starts on demand', () => {
  const open = (idleMs = LONG) => createTestEmbedder({}, undefined, { lazy: true, idleMs });

  test('has no process until there is a text, and counts as ready', async () => {
    const embedder = await open();
    expect(embedder.state()).toMatchObject({ state: 'ready', why: null });
    expect(embedder.pids[0]).toBeUndefined();
    const [vector] = await embedder.embedDocuments(['happy dance']);
    expect(vector).toHaveLength(512);
    expect(embedder.pids[0]).toBeGreaterThan(0);
  });

  test('lets the first query wait for the start', async () => {
    const embedder = await open();
    const start = performance.now();
    const outcome = await embedder.embedQuery('happy dance', 1).catch(() => 'late');
    // On a very busy machine, the start takes longer than the query can wait.
    if (outcome === 'late') expect(performance.now() - start).toBeGreaterThan(1_900);
    else expect(outcome).toHaveLength(512);
  });

  test('ends its process when there was no text for a while, and starts another one for the next text', async () => {
    const embedder = await open(20);
    await embedder.embedDocuments(['happy dance']);
    await vi.waitUntil(() => embedder.pids[0] === undefined, { timeout: LONG, interval: 1 });
    expect(embedder.state()).toMatchObject({ state: 'ready', why: null });
    const vectors = await embedder.embedDocuments(['happy dance', 'rain', 'happy dance']);
    expect(vectors[0]).toEqual(vectors[2]);
    expect(vectors[1]).toHaveLength(512);
  });

  test('gets a second process for many texts in a row, with the same vectors, and goes on if it dies', async () => {
    const embedder = await createTestEmbedder({}, undefined, { lazy: true, manyTexts: 200 });
    const texts = Array.from({ length: 150 }, (_, n) => `text number ${n} about a cat`);
    const alone = await embedder.embedDocuments(texts);
    expect(embedder.pids[1]).toBeUndefined();
    const together = embedder.embedDocuments(texts);
    // On a machine with one core or little memory, there is only one process.
    const hasRoom = os.availableParallelism() > 1 && process.availableMemory() > 1_000_000_000;
    if (hasRoom) await expect.poll(() => embedder.pids[1], { timeout: LONG }).toBeGreaterThan(0);
    expect(await together).toEqual(alone);
    const rest = embedder.embedDocuments([...texts, ...texts, ...texts]);
    if (hasRoom) process.kill(embedder.pids[1]!, 'SIGKILL');
    // A text gets slightly different vectors in different batches.
    for (const [n, vector] of (await rest).entries()) expect(cosine(vector, alone[n % 150]!)).toBeGreaterThan(0.99);
  });

  test('never ends while texts wait', { timeout: LONG }, async () => {
    const embedder = await open(1);
    const texts = Array.from({ length: 400 }, (_, n) => `text number ${n} about a cat`);
    const [vectors, query] = await Promise.all([embedder.embedDocuments(texts), embedder.embedQuery('cat', LONG)]);
    expect(vectors.every((vector) => vector?.length === 512)).toBe(true);
    expect(query).toHaveLength(512);
  });
});

describe('under load', () => {
  test('a burst of queries is embedded together, and those over the limit are rejected', async () => {
    const embedder = await ready(await createTestEmbedder());
    const burst = Array.from({ length: 70 }, (_, i) => embedder.embedQuery(`query ${i}`, LONG));
    const outcomes = await Promise.allSettled(burst);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(64);
    expect(outcomes[69]).toMatchObject({ status: 'rejected', reason: { ...unavailable, retryAfter: 5 } });
    await expect(embedder.embedQuery('query 69', LONG)).resolves.toHaveLength(512);
  });

  test('a query is embedded before documents that came earlier', async () => {
    const embedder = await ready(await createTestEmbedder());
    const order: string[] = [];
    const texts = Array.from({ length: 64 }, (_, i) => `a document about the number ${i}`);
    const documents = embedder.embedDocuments(texts).then(() => order.push('documents'));
    await embedder.embedQuery('happy', LONG).then(() => order.push('query'));
    await documents;
    expect(order).toEqual(['query', 'documents']);
  });

  test('an abort ends only its own call', async () => {
    const embedder = await createTestEmbedder();
    const controller = new AbortController();
    const aborted = embedder.embedDocuments(['a', 'b'], controller.signal);
    const other = embedder.embedDocuments(['a', 'b']);
    controller.abort();
    await expect(aborted).rejects.toThrow('aborted');
    await expect(other).resolves.toHaveLength(2);
    await expect(embedder.embedDocuments(['a'], controller.signal)).rejects.toThrow('aborted');
  });
});

describe('when the process', () => {
  test('is killed, waiting queries are rejected, documents wait, and the next queries work', async () => {
    const embedder = await ready(await createTestEmbedder());
    const killed = embedder.pids[0]!;
    process.kill(killed, 'SIGSTOP');
    const query = embedder.embedQuery('sad', LONG);
    const documents = embedder.embedDocuments(['sad', 'happy']);
    process.kill(killed, 'SIGKILL');
    await expect(query).rejects.toMatchObject(unavailable);
    expect(embedder.state()).toMatchObject({ state: 'down', why: expect.stringContaining('SIGKILL') });
    await expect(embedder.embedQuery('sad', LONG)).rejects.toMatchObject(unavailable);
    await ready(embedder);
    await expect(embedder.embedQuery('sad', LONG)).resolves.toHaveLength(512);
    await expect(documents).resolves.toHaveLength(2);
    expect(embedder.pids[0]).not.toBe(killed);
  });

  test('hangs, queries are rejected at their deadline and the process is replaced', async () => {
    const embedder = await ready(await createTestEmbedder());
    const known = await embedder.embedQuery('known', LONG);
    const hung = embedder.pids[0]!;
    process.kill(hung, 'SIGSTOP');
    await expect(embedder.embedQuery('sad', 50)).rejects.toThrow('no vector within 50 ms');
    expect(embedder.state().state).toBe('ready');
    expect(await embedder.embedQuery('known', 50)).toBe(known);
    await vi.waitUntil(() => embedder.pids[0] !== hung, { timeout: LONG });
    await ready(embedder);
    await expect(embedder.embedQuery('sad', LONG)).resolves.toHaveLength(512);
    expect(() => process.kill(hung, 0)).toThrow('ESRCH');
  });

  test('was only slow, it is not replaced', async () => {
    const embedder = await ready(await createTestEmbedder());
    const slow = embedder.pids[0]!;
    process.kill(slow, 'SIGSTOP');
    await expect(embedder.embedQuery('sad', 20)).rejects.toMatchObject(unavailable);
    process.kill(slow, 'SIGCONT');
    await expect(embedder.embedQuery('sad', LONG)).resolves.toHaveLength(512);
    expect(embedder.pids[0]).toBe(slow);
  });

  test('is closed, waiting calls end and no process is left', async () => {
    const embedder = await ready(await createTestEmbedder());
    const pid = embedder.pids[0]!;
    const open = Promise.allSettled([embedder.embedQuery('sad', LONG), embedder.embedDocuments(['happy'])]);
    await embedder.close();
    for (const outcome of await open) expect(outcome).toMatchObject({ status: 'rejected', reason: unavailable });
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    await expect(embedder.embedQuery('rain', LONG)).rejects.toMatchObject(unavailable);
    await expect(embedder.embedDocuments(['rain'])).rejects.toMatchObject(unavailable);
  });
});

test.runIf(process.platform === 'linux')(
  'the process ends with the service, even if the service is killed',
  async () => {
    const helper = JSON.stringify(new URL('./testing/test-embedder.ts', import.meta.url).href);
    const script = `
    import { createTestEmbedder } from ${helper};
    const embedder = await createTestEmbedder();
    await embedder.embedQuery('hello', 30000);
    process.send(embedder.pids[0]);`;
    const service = spawn(process.execPath, ['--conditions=zoetrope', '--input-type=module', '--eval', script], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const [pid] = (await once(service, 'message')) as [number];
    expect(isGone(pid)).toBe(false);
    service.kill('SIGKILL');
    await vi.waitUntil(() => isGone(pid), { timeout: LONG });
  },
);

describe('the settings', () => {
  const config = Value.Default(EmbedConfig, {}) as EmbedConfig;
  const create = (changes: Partial<EmbedConfig>) =>
    createEmbedder({ config: { ...config, ...changes }, models: '/nowhere', log: pino({ level: 'silent' }) });

  test('can turn the embedder off', async () => {
    await expect(create({ provider: 'none' })).resolves.toBeUndefined();
  });

  test.each<[Partial<EmbedConfig>, string]>([
    [{ provider: 'http' }, 'ZOETROPE_EMBEDDER_URL must be set to the URL of the server'],
    [{ provider: 'http', url: 'http://127.0.0.1:1', dimensions: 300 }, 'ZOETROPE_EMBEDDER_DIMENSIONS sets 300'],
    [{ provider: 'onnx', model: 'missing' }, '/nowhere/missing/embedder.json cannot be read'],
  ])('%j are rejected with a message that names the mistake', async (changes, message) => {
    await expect(create(changes)).rejects.toThrow(message);
  });
});

async function ready(embedder: Embedder): Promise<Embedder> {
  await vi.waitUntil(() => embedder.state().state === 'ready', { timeout: LONG });
  return embedder;
}

/** Returns whether the process has ended. A zombie has ended, too. */
function isGone(pid: number): boolean {
  try {
    return / [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return true;
  }
}
