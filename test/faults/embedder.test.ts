import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import type { ServerResponse } from 'node:http';
import type { SearchResponse } from '@zoetrope/contract';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { DIMENSIONS, EmbeddingServer, wellFormed } from '../../packages/server/src/embed/testing/embedding-server.ts';
import { writeManifest } from '../support/catalogue.ts';
import { type Server, startServer, temporaryFolder, zoetrope } from '../support/server.ts';

/**
 * Searches per second, all different. One in `ONE_BY_MEANING` searches is in mode `semantic`. The other searches are in
 * mode `auto`.
 */
const RATE = 30;
const ONE_BY_MEANING = 11;

/**
 * A hanging process is replaced after two seconds, and degraded responses are cached for half a minute. The rest of the
 * timeout is for busy machines.
 */
const PATIENCE = { timeout: 480_000 };

const MOODS = ['happy', 'sad', 'angry', 'tired', 'scared', 'proud', 'sleepy', 'hungry'];
const HEROES = ['cat', 'dog', 'bear', 'bird', 'horse', 'robot', 'wizard', 'farmer', 'doctor', 'child'];

/** A query that finds GIFs by words. */
const QUERY = 'happy cat';

const folder = temporaryFolder();
const data = `${folder.path}/data`;
/** A copy of the data folder, for another embedder. */
const other = `${folder.path}/other`;

function* rows() {
  for (const mood of MOODS) {
    for (const hero of HEROES) yield { title: `A ${mood} ${hero}`, tags: [mood, hero, 'reaction'] };
  }
}

beforeAll(async () => {
  const manifest = writeManifest(`${folder.path}/rows.jsonl`, rows());
  const { code, stderr } = await zoetrope(data, ['add', manifest, '--quiet']);
  expect(code, stderr).toBe(0);
  fs.cpSync(data, other, { recursive: true });
});

afterAll(() => folder[Symbol.dispose]());

let asked = 0;

/** Returns a query that has never been sent before. */
function freshQuery(): string {
  const n = asked++;
  return `${MOODS[n % MOODS.length]} ${HEROES[(n >> 3) % HEROES.length]} number ${n}`;
}

interface Answered {
  q: string;
  mode: string;
  status: number;
  headers: Headers;
  body: Partial<SearchResponse> & { error?: { code: string; message: string } };
}

async function ask(server: Server, mode: 'auto' | 'text' | 'semantic', q = freshQuery()): Promise<Answered> {
  const answer = await server.get(`/api/v1/search?mode=${mode}&q=${encodeURIComponent(q)}`);
  const { status, headers } = answer;
  return { q, mode, status, headers, body: (await answer.json()) as Answered['body'] };
}

/** Returns whether new searches use meaning. */
async function isUp(server: Server): Promise<boolean> {
  return (await ask(server, 'auto')).body.semantic === true && (await ask(server, 'semantic')).status === 200;
}

/** Sends searches at a steady rate, even if no responses arrive. */
function startLoad(server: Server) {
  const answers: Answered[] = [];
  const problems: string[] = [];
  let sent = 0;
  const timer = setInterval(() => {
    const mode = sent++ % ONE_BY_MEANING === 0 ? 'semantic' : 'auto';
    ask(server, mode).then(
      (answer) => answers.push(answer),
      (error) => problems.push(String(error)),
    );
  }, 1000 / RATE);
  return {
    answers,
    problems,
    async stop() {
      clearInterval(timer);
      await expect.poll(() => answers.length + problems.length, PATIENCE).toBe(sent);
    },
  };
}

/** Returns the process that turns text into vectors: the child of the service that runs the embedder's entry point. */
function embedderOf({ process: { pid } }: Server): number {
  return Number(execFileSync('pgrep', ['-P', String(pid), '-f', 'embed.child'], { encoding: 'utf8' }));
}

const isDegraded = ({ mode, body }: Answered) => mode === 'auto' && body.semantic === false;
const isRefused = ({ mode, status }: Answered) => mode === 'semantic' && status !== 200;

describe('an embedder that dies under load', () => {
  let server: Server;
  const degraded: string[] = [];

  beforeAll(async () => {
    // The service has one thread, because each thread has its own cache.
    server = await startServer(data, { ZOETROPE_THREADS: '1' });
  });

  afterAll(() => server?.stop());

  it.each(['SIGKILL', 'SIGSTOP'] as const)('by %s: is replaced, and searches continue by words', async (signal) => {
    await expect.poll(() => isUp(server), PATIENCE).toBe(true);
    const load = startLoad(server);
    await expect.poll(() => load.answers.some(({ body }) => body.semantic), PATIENCE).toBe(true);
    const lost = embedderOf(server);
    process.kill(lost, signal);
    await expect.poll(() => load.answers.some(isDegraded) && load.answers.some(isRefused), PATIENCE).toBe(true);
    await expect.poll(() => isUp(server), PATIENCE).toBe(true);
    await load.stop();

    expect(embedderOf(server)).not.toBe(lost);
    expect(load.problems).toEqual([]);
    for (const { q, mode, status, headers, body } of load.answers) {
      if (mode === 'semantic' && status === 503) {
        expect(body.error, q).toMatchObject({ code: 'embedder_unavailable' });
        expect(Number(headers.get('retry-after')), q).toBeGreaterThan(0);
        continue;
      }
      expect(status, q).toBe(200);
      expect(body.items?.length, q).toBeGreaterThan(0);
      // A response stays in the service's cache for half a minute and in the client's for half a minute, so at most one
      // minute.
      expect(headers.get('cache-control'), q).toBe(`private, max-age=${body.semantic ? 60 : 30}`);
    }
    degraded.push(load.answers.find(isDegraded)!.q);
  });

  it('uses meaning for the degraded queries again when their cached responses have expired', async () => {
    expect(degraded).toHaveLength(2);
    for (const q of degraded) {
      await expect.poll(async () => (await ask(server, 'auto', q)).body.semantic, PATIENCE).toBe(true);
    }
  });
});

it('searches by words alone if the operator turned the embedder off', async () => {
  await using server = await startServer(data, { ZOETROPE_EMBEDDER: 'none' });
  await expectWordsAlone(server);
});

/**
 * Expects results by words alone. A build can be replaced between two responses, so this is retried until all responses
 * come from one build.
 */
function expectWordsAlone(server: Server): Promise<SearchResponse> {
  return vi.waitFor(() => askForWordsAlone(server), PATIENCE);
}

async function askForWordsAlone(server: Server): Promise<SearchResponse> {
  const q = QUERY;
  const [auto, text, semantic] = await Promise.all([
    ask(server, 'auto', q),
    ask(server, 'text', q),
    ask(server, 'semantic', q),
  ]);
  expect(auto.body).toEqual(text.body);
  expect(auto.body).toMatchObject({ semantic: false, items: { 0: { title: 'A happy cat' } } });
  expect(semantic.status).toBe(503);
  expect(semantic.body.error).toMatchObject({ code: 'embedder_unavailable' });
  expect(Number(semantic.headers.get('retry-after'))).toBeGreaterThan(0);
  return auto.body as SearchResponse;
}

it('never compares vectors of two embedders: a new embedder is used only when the GIFs have its vectors', async () => {
  await using vectors = await EmbeddingServer.start();
  const held: (() => void)[] = [];
  const tell = (texts: readonly string[], response: ServerResponse) =>
    void response.end(JSON.stringify(wellFormed({ texts })));
  // The new embedder runs, passes its self-test and embeds queries, but the computation of the GIFs' vectors takes long.
  vectors.answer = ({ texts }, response) => {
    if (['hello', QUERY].includes(texts.join())) tell(texts, response);
    else held.push(() => tell(texts, response));
  };
  await using server = await startServer(other, {
    ZOETROPE_EMBEDDER: 'http',
    ZOETROPE_EMBEDDER_URL: vectors.url,
    ZOETROPE_EMBEDDER_DIMENSIONS: String(DIMENSIONS),
  });
  await expect.poll(() => held.length, PATIENCE).toBeGreaterThan(0);
  const before = await expectWordsAlone(server);
  vectors.answer = ({ texts }, response) => tell(texts, response);
  for (const answer of held) answer();
  await expect.poll(() => isUp(server), PATIENCE).toBe(true);
  const after = await ask(server, 'auto');
  expect(after.body.build).not.toBe(before.build);
});
