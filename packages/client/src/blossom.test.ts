import { expect, test } from 'vitest';
import { type EventTemplate, ownFirst, saveTo } from './blossom.ts';
import { fromImeta } from './imeta.ts';

const SHA = 'a'.repeat(64);
const GIF = { url: `https://gifs.example/m/${SHA}.gif`, sha256: SHA };
const NOW = 1_700_000_000_500;

interface Sent {
  url: string;
  request: RequestInit;
}

/** Returns a fetch that answers by host name, and a list of its requests. */
function answering(answers: Record<string, () => Response | Promise<Response>>) {
  const sent: Sent[] = [];
  const fetch = (async (url: string, request: RequestInit) => {
    sent.push({ url, request });
    return answers[new URL(url).hostname]!();
  }) as typeof globalThis.fetch;
  return { sent, fetch };
}

const signed: EventTemplate[] = [];
const signer = {
  signEvent: async (event: EventTemplate) => {
    signed.push(event);
    return { ...event, id: 'é'.repeat(3), pubkey: 'p', sig: 's' };
  },
};
const saved = (sha256 = SHA) => Response.json({ url: `https://one.example/${sha256}.gif`, sha256 });

test('asks each server to download the file, with one signature for this file on these servers', async () => {
  const { sent, fetch } = answering({ 'one.example': () => saved(), 'two.example': () => saved() });
  const results = await saveTo(GIF, ['https://one.example/', 'https://two.example:8080/x'], signer, {
    fetch,
    now: () => NOW,
  });
  expect(results).toEqual([
    { server: 'https://one.example', url: `https://one.example/${SHA}.gif` },
    { server: 'https://two.example:8080', url: `https://one.example/${SHA}.gif` },
  ]);
  expect(sent.map(({ url, request }) => [url, request.method, request.body])).toEqual([
    ['https://one.example/mirror', 'PUT', JSON.stringify({ url: GIF.url })],
    ['https://two.example:8080/mirror', 'PUT', JSON.stringify({ url: GIF.url })],
  ]);
  expect(signed).toHaveLength(1);
  expect(signed[0]).toMatchObject({
    kind: 24_242,
    created_at: 1_700_000_000,
    tags: [
      ['t', 'upload'],
      ['x', SHA],
      ['expiration', '1700000300'],
      ['server', 'one.example'],
      ['server', 'two.example'],
    ],
  });
  const [, token] = /^Nostr (.+)$/.exec((sent[0]!.request.headers as Record<string, string>)['authorization']!)!;
  expect(JSON.parse(Buffer.from(token!, 'base64').toString())).toMatchObject({ kind: 24_242, id: 'ééé', sig: 's' });
});

test('reports for each server why the file is not there', async () => {
  const { fetch } = answering({
    'refused.example': () => new Response('', { status: 403, headers: { 'x-reason': 'no space left' } }),
    'silent.example': () => new Response('', { status: 500 }),
    'other.example': () => saved('b'.repeat(64)),
    'nowhere.example': () => Response.json({ sha256: SHA, url: 'nowhere' }),
    'script.example': () => Response.json({ sha256: SHA, url: 'javascript:alert(1)' }),
    'page.example': () => new Response('<html>'),
    'down.example': () => Promise.reject(new TypeError('fetch failed')),
  });
  const names = ['refused', 'silent', 'other', 'nowhere', 'script', 'page', 'down'];
  const results = await saveTo(
    GIF,
    names.map((name) => `https://${name}.example`),
    signer,
    { fetch },
  );
  expect(results.map((result) => ('error' in result ? result.error : ''))).toEqual([
    'no space left',
    'HTTP 500',
    'the server saved another file',
    'the response has no URL',
    'the response has no URL',
    expect.stringContaining('JSON'),
    'TypeError: fetch failed',
  ]);
});

test('stops waiting for a server after its time limit', async () => {
  const never = (async (_: string, { signal }: RequestInit) =>
    new Promise((_resolve, reject) => {
      signal!.addEventListener('abort', () => reject(signal!.reason as Error));
    })) as typeof fetch;
  const [result] = await saveTo(GIF, ['https://slow.example'], signer, { fetch: never, timeoutMs: 20 });
  expect(result).toEqual({ server: 'https://slow.example', error: 'The service did not respond within 20 ms' });
  const controller = new AbortController();
  const waiting = saveTo(GIF, ['https://slow.example'], signer, { fetch: never, signal: controller.signal });
  controller.abort(new Error('closed'));
  await expect(waiting).rejects.toThrow('closed');
});

test('rejects a GIF without a hash, and wrong addresses', async () => {
  await expect(saveTo({ ...GIF, sha256: null }, ['https://one.example'], signer)).rejects.toThrow('no sha256');
  await expect(saveTo(GIF, ['one'], signer)).rejects.toThrow(TypeError);
});

test('the URL on the server of the user comes first in the tag, and all other URLs are fallbacks', () => {
  const imeta = [
    'imeta',
    `url ${GIF.url}`,
    'm image/gif',
    `x ${SHA}`,
    'alt url of a cat',
    'image https://gifs.example/p.png',
  ];
  const [one, two] = [`https://one.example/${SHA}.gif`, `https://two.example/${SHA}.gif`];
  const saved = [
    { server: 'https://no.example', error: 'full' },
    { server: 'https://one.example', url: one },
    { server: 'https://two.example', url: two },
    { server: 'https://three.example', url: one },
    { server: 'https://four.example', url: two },
  ];
  const tag = ownFirst(imeta, saved);
  expect(tag).toEqual(['imeta', `url ${one}`, ...imeta.slice(2), `fallback ${two}`, `fallback ${GIF.url}`]);
  expect(fromImeta(tag)).toMatchObject({ url: one, x: SHA, alt: 'url of a cat', fallback: [two, GIF.url] });
  expect(ownFirst(imeta, saved.slice(0, 1))).toEqual(imeta);
});
