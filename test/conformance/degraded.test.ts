import { execFileSync } from 'node:child_process';
import type { SearchResponse } from '@zoetrope/contract';
import { describe, expect } from 'vitest';
import { sentence } from './sentence.ts';
import { serveTopics } from './service.ts';

const service = serveTopics();

/**
 * A hanging process is replaced after 2 s, and degraded responses are cached for 30 s. The remaining time is for busy
 * machines.
 */
const BACK = { timeout: 480_000 };
const RUN_OUT = { timeout: 480_000 };

/* A table embeds queries of up to three content words, so only longer queries need the process. */
const DOG = 'a dog runs after a ball on the beach';
const WIZARD = 'a wizard does magic in a castle at night';
const ASTRONAUT = 'an astronaut floats through a station in space';
const ROCKET = 'a rocket flies over snow and mountains at night';
const WINTER = 'children throw snow in the winter sun';

const searchPath = (q: string, mode: string) => `/api/v1/search?mode=${mode}&q=${encodeURIComponent(q)}`;

/**
 * Searches by meaning. The search waits for the vector and caches it. Therefore `auto` has the vector immediately
 * afterwards.
 */
async function byMeaning(q: string): Promise<void> {
  await expect.poll(async () => (await service.get(searchPath(q, 'semantic'))).status, BACK).toBe(200);
}

async function inMode(mode: 'auto' | 'text', q: string): Promise<SearchResponse> {
  return service.search(`mode=${mode}&q=${encodeURIComponent(q)}`);
}

/** Returns the process of the service that turns text into vectors. */
function embedderOf(pid: number): number {
  return Number(execFileSync('pgrep', ['-P', String(pid), '-f', 'embed.child'], { encoding: 'utf8' }));
}

describe('an embedder that hangs', () => {
  const DEGRADED = 'private, max-age=30';

  sentence(93, async () => {
    await byMeaning(DOG);
    process.kill(embedderOf(service.pid), 'SIGSTOP');
    const response = await service.get(searchPath(WIZARD, 'auto'));
    expect(response.headers.get('cache-control')).toBe(DEGRADED);
    const auto = (await response.json()) as SearchResponse;
    expect(auto.semantic).toBe(false);
    expect(auto).toEqual(await inMode('text', WIZARD));
    // New queries use meaning immediately. A query with a degraded response uses meaning again within a minute.
    await byMeaning(ASTRONAUT);
    expect((await inMode('auto', ASTRONAUT)).semantic).toBe(true);
    await byMeaning(WIZARD);
    await expect.poll(async () => (await inMode('auto', WIZARD)).semantic, RUN_OUT).toBe(true);
  });
});

describe('Limits', () => {
  // The service caches a degraded response for 30 s, and clients cache it for another 30 s. Test 93 waits until the
  // service's cache expires.
  sentence(161, async () => {
    const maxAge = async (answer: Promise<Response>) => (await answer).headers.get('cache-control');
    await byMeaning(DOG);
    process.kill(embedderOf(service.pid), 'SIGSTOP');
    expect(await maxAge(service.get(searchPath(ROCKET, 'auto')))).toBe('private, max-age=30');
    expect(await maxAge(service.get(searchPath(ROCKET, 'text')))).toBe('private, max-age=60');
    await byMeaning(WINTER);
    expect(await maxAge(service.get(searchPath(WINTER, 'auto')))).toBe('private, max-age=60');
  });
});
