import { createHash } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { Fetcher } from '../../platform/fetch/index.ts';
import type { MediaConfig } from '../config.ts';
import { type MediaSource, originalKey } from '../source.ts';
import { writeGif } from '../testing/gif-writer.ts';
import { createTestMedia, type TestMedia, testConfig } from '../testing/test-media.ts';
import type { VideoEncoderName } from '../video-encoder.ts';
import type { FileFacts, LinkFacts, LinkNews } from './link-book.ts';

const GIF = writeGif({ width: 30, height: 20, frames: [{ pixels: 1 }, { pixels: 2 }] });
const OTHER = writeGif({ width: 30, height: 20, frames: [{ pixels: 2 }, { pixels: 1 }] });
const SHA = createHash('sha256').update(GIF).digest('hex');
const W240 = { fit: 'w240', kind: 'animated' } as const;

const fetcher = new Fetcher({ allowPrivate: true });
const { signal } = new AbortController();
let server: http.Server;
let base: string;
let asked: string[] = [];
let open: TestMedia[] = [];

/** The server's response handlers, by the first part of the path. */
const answers: Record<string, http.RequestListener> = {
  '/good': (_, response) => response.end(GIF),
  '/other': (_, response) => response.end(OTHER),
  '/text': (_, response) => response.end('what was here is no longer here'),
  '/404': (_, response) => response.writeHead(404).end(),
  '/410': (_, response) => response.writeHead(410).end(),
  '/busy': (_, response) => response.writeHead(503).end(),
};

beforeAll(async () => {
  server = http.createServer((request, response) => {
    asked.push(request.url!);
    answers[/^\/\w+/.exec(request.url!)?.[0] ?? '']?.(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

beforeEach(() => {
  asked = [];
});

afterEach(async () => {
  await Promise.all(open.map(({ media }) => media.close()));
  open = [];
});

afterAll(async () => {
  await fetcher.close();
  server.closeAllConnections();
  server.close();
});

/** Creates a media room that knows these paths of a GIF. Also returns the results that the media room records. */
function newMedia(
  paths: string[],
  facts: Partial<LinkFacts> = {},
  config: Partial<MediaConfig> = {},
  videoEncoder: VideoEncoderName | null = null,
) {
  const news: object[] = [];
  const read: FileFacts[] = [];
  const links = {
    find: async () => {
      const addresses = paths.map(addressOf);
      return { addresses, kept: null, isSound: true, listed: addresses[0]!, isTrusted: true, ...facts };
    },
    note: async (_: string, heard: LinkNews) => {
      // Facts that a worker finds are recorded later, together with the same result.
      const { facts, ...rest } = { facts: undefined, ...heard };
      if (facts !== undefined) read.push(facts);
      if (heard.state !== 'alive' || !isDeepStrictEqual(news.at(-1), rest)) news.push(rest);
      return null;
    },
  };
  const made = createTestMedia({ fetcher, links, config: testConfig(config), videoEncoder });
  open.push(made);
  return { ...made, news, read };
}

const addressOf = (path: string): string => (path.startsWith('http') ? path : base + path);
const alive = (path: string, kept: string | null = null) => ({ state: 'alive', url: addressOf(path), kept });
const gone = (reason: string) => ({ state: 'gone', reason });

function source(expectedSha256: string | null, changes: Partial<MediaSource> = {}): MediaSource {
  const size = { width: 30, height: 20, frames: 2, durationMs: 200 };
  return { id: 'a', format: 'gif', ...size, sha256: null, url: `${base}/outdated`, expectedSha256, ...changes };
}

describe('an original is fetched', () => {
  test.each([
    ['from the first URL that has it', SHA, ['/good/1', '/good/2'], '/good/1'],
    ['from the next if the first returns 404', SHA, ['/404', '/good'], '/good'],
    ['from the next if the first returns another image', SHA, ['/other', '/good'], '/good'],
    ['from the next if the first returns no image', SHA, ['/text', '/good'], '/good'],
    ['from the next if the first is busy', SHA, ['/busy', '/good'], '/good'],
    ['from the next if the host of the first does not exist', SHA, ['http://nobody.invalid/a.gif', '/good'], '/good'],
    ['from the third', SHA, ['/404', '/410', '/good'], '/good'],
    ['from the next without a hash, if the first is gone', null, ['/404', '/good'], '/good'],
  ])('%s', async (_, sha256, paths, found) => {
    const { media, news } = newMedia(paths);
    await expect(media.ensure(source(sha256), W240)).resolves.toHaveProperty('key');
    expect(news).toEqual([alive(found)]);
    const told = paths.filter((path) => path.startsWith('/'));
    expect(asked).toEqual(told.slice(0, told.indexOf(found) + 1));
  });

  test('from the next URL if no hash is known, but that URL is not shown while the first can come back', async () => {
    const { media, news } = newMedia(['/busy', '/good']);
    await expect(media.ensure(source(null), W240)).resolves.toHaveProperty('key');
    expect(news).toEqual([{ state: 'unclear' }]);
  });

  test('once, even if it turns out to be too transparent for a small video', async () => {
    const clear = { pixels: 1, transparent: 1, disposal: 2 };
    answers['/clear'] = (_, response) =>
      response.end(writeGif({ width: 30, height: 20, frames: [clear, { pixels: 2 }] }));
    const { media, read } = newMedia(['/clear'], {}, {}, 'webcodecs');
    const linked = source(null);
    await expect(media.ensure(linked, { kind: 'video', fit: 'w240' })).rejects.toMatchObject({ code: 'not_found' });
    await expect(media.ensure(linked, W240)).resolves.toHaveProperty('key');
    expect(asked).toEqual(['/clear']);
    expect(read.at(-1)).toMatchObject({ transparent: true });
  });

  test('from at most four URLs', async () => {
    const { media, news } = newMedia(['/404/1', '/404/2', '/404/3', '/404/4', '/good']);
    await expect(media.ensure(source(SHA), W240)).rejects.toMatchObject({ code: 'not_found' });
    expect(asked).toEqual(['/404/1', '/404/2', '/404/3', '/404/4']);
    expect(news).toEqual([gone('gone')]);
  });

  test('from Blossom servers by its hash, in their order', async () => {
    const blossomServers = `${base}/404, ${base}/good/,${base}/410`;
    const { media, news } = newMedia(['/404/a.gif'], {}, { blossomServers });
    await expect(media.ensure(source(SHA), W240)).resolves.toHaveProperty('key');
    expect(asked).toEqual(['/404/a.gif', `/404/${SHA}`, `/good/${SHA}`]);
    expect(news).toEqual([alive(`/good/${SHA}`)]);
  });

  test('not from Blossom servers that return other bytes, and never from them without a hash', async () => {
    const { media, news } = newMedia(['/404'], {}, { blossomServers: `${base}/other` });
    await expect(media.ensure(source(SHA), W240)).rejects.toMatchObject({ code: 'not_found' });
    await expect(media.ensure(source(null, { id: 'b' }), W240)).rejects.toMatchObject({ code: 'not_found' });
    expect(asked).toEqual(['/404', `/other/${SHA}`, '/404']);
    expect(news).toEqual([gone('gone'), gone('gone')]);
  });
});

describe('the verdict is', () => {
  test.each([
    ['gone', ['/404'], gone('gone')],
    ['gone', ['/410'], gone('gone')],
    ['gone if the host does not exist', ['http://nobody.invalid/a.gif'], gone('no_such_host')],
    ['gone if the bytes are others', ['/other'], gone('other_bytes')],
    ['gone if the shown URL is gone and another is busy', ['/404', '/busy'], gone('gone')],
    ['unclear if the server is busy', ['/busy'], { state: 'unclear' }],
    ['unclear if the server is down', ['http://127.0.0.1:2/a.gif'], { state: 'unclear' }],
    ['unclear if the shown URL is busy and another is gone', ['/busy', '/404'], { state: 'unclear' }],
    ['unclear if the file is not an image', ['/text'], { state: 'unclear' }],
    ['unclear if the URL is not allowed', ['http://user@127.0.0.1/a.gif'], { state: 'unclear' }],
  ])('%s: %s', async (_, paths, expected) => {
    const { media, news } = newMedia(paths, { isSound: false });
    // The text file must have no expected hash. With a hash, the text file would count as different bytes.
    const sha256 = paths[0] === '/text' ? null : SHA;
    await expect(media.ensure(source(sha256), W240)).rejects.toMatchObject({ code: 'not_found' });
    expect(news).toEqual([expected]);
    const { state } = expected as LinkNews;
    expect(await media.checkLink(source(sha256), signal)).toEqual({ state, change: null });
    expect(news).toEqual([expected, expected]);
  });
});

describe('a check', () => {
  test('sends only a HEAD request if the shown address works', async () => {
    answers['/slow'] = (_, response) => response.writeHead(200, { 'content-length': GIF.length }).flushHeaders();
    const { media, news } = newMedia(['/slow', '/good']);
    expect(await media.checkLink(source(SHA), signal)).toEqual({ state: 'alive', change: null });
    expect(asked).toEqual(['/slow']);
    expect(news).toEqual([alive('/slow')]);
  });

  test('tries a second time before it reports a file as gone', async () => {
    let times = 0;
    answers['/flaky'] = (_, response) => (times++ === 0 ? response.writeHead(404).end() : response.end(GIF));
    const { media, news } = newMedia(['/flaky']);
    expect(await media.checkLink(source(SHA), signal)).toEqual({ state: 'alive', change: null });
    expect(news).toEqual([alive('/flaky')]);
  });

  test('retries files that were gone the last time', async () => {
    const { media, news } = newMedia(['/other'], { isSound: false });
    expect(await media.checkLink(source(SHA), signal)).toEqual({ state: 'gone', change: null });
    expect(news).toEqual([gone('other_bytes')]);
  });

  test("downloads the file from a stranger's URL, and compares its hash", async () => {
    const { media, news } = newMedia(['/other', '/good'], { isTrusted: false });
    await expect(media.checkLink(source(SHA), signal)).resolves.toMatchObject({ state: 'alive' });
    expect(asked).toEqual(['/other', '/good']);
    expect(news).toEqual([alive('/good')]);
  });

  test('shows the listed URL again when it works', async () => {
    const { media, news } = newMedia(['/good/elsewhere'], { isTrusted: false, listed: addressOf('/good/listed') });
    await expect(media.checkLink(source(SHA), signal)).resolves.toMatchObject({ state: 'alive' });
    expect(news).toEqual([alive('/good/listed')]);
  });

  test('has no result if it is aborted', async () => {
    const stopping = new AbortController();
    answers['/hangs'] = () => stopping.abort(new Error('enough'));
    for (const isSound of [true, false]) {
      const { media, news } = newMedia(['/hangs', '/good'], { isSound });
      await expect(media.checkLink(source(SHA), stopping.signal)).rejects.toThrow('enough');
      expect(news).toEqual([]);
    }
  });
});

describe('the recorded facts about a file', () => {
  const header = { format: 'gif', width: 30, height: 20 };
  const whole = { ...header, bytes: GIF.length, sha256: SHA };

  test('include its hash and all its frames after images have been made from it', async () => {
    const { media, read } = newMedia(['/good']);
    await media.ensure(source(null), W240);
    const frameFacts = { frames: 2, durationMs: 200, transparent: false, blankStill: true };
    await vi.waitFor(() => expect(read.at(-1)).toEqual({ ...whole, ...frameFacts }), { timeout: 480_000 });
  });

  test('are those in its header if only its first bytes are fetched', async () => {
    const long = Buffer.concat([writeGif({ width: 400, height: 300, frames: [{ pixels: 1 }] }), Buffer.alloc(30_000)]);
    const ranges: unknown[] = [];
    answers['/long'] = (request, response) => {
      ranges.push(request.headers.range);
      const end = Number(/\d+$/.exec(String(request.headers.range))?.[0]);
      const range = `bytes 0-${end}/${long.length}`;
      response.writeHead(206, { 'content-range': range }).end(long.subarray(0, end + 1));
    };
    const { media, news, read } = newMedia(['/long']);
    expect(await media.probeLink(source(null), signal)).toEqual({ state: 'alive', change: null });
    expect(news).toEqual([alive('/long')]);
    const size = { format: 'gif', width: 400, height: 300, bytes: long.length };
    expect(read).toEqual([{ ...size, sha256: null, frames: null, durationMs: null }]);
    expect(ranges).toEqual(['bytes=0-16383']);
  });

  test('include its hash if the first bytes are the whole file', async () => {
    const { media, read } = newMedia(['/good']);
    await media.probeLink(source(null), signal);
    expect(read).toEqual([{ ...whole, frames: null, durationMs: null }]);
  });

  test('are none if it is not an image, is gone, has other bytes than listed, or is too large', async () => {
    for (const [path, reason] of [
      ['/text', 'wrong_type'],
      ['/other', 'other_bytes'],
      ['/404', 'gone'],
    ] as const) {
      const { media, news, read } = newMedia([path]);
      const verdict = await media.probeLink(source(SHA), signal);
      expect(verdict).toMatchObject({ state: 'gone', failure: { reason } });
      expect([news, read]).toEqual([[gone(reason)], []]);
    }
    const { media, read } = newMedia(['/good'], {}, { maxCanvasPixels: 599 });
    expect(await media.probeLink(source(null), signal)).toMatchObject({ failure: { reason: 'too_large' } });
    expect(read).toEqual([]);
  });

  test('are read only from https URLs if http URLs are upgraded', async () => {
    const { media } = newMedia(['/good'], {}, { linkedHttp: 'upgrade' });
    expect(await media.probeLink(source(null), signal)).toMatchObject({ state: 'unclear' });
    expect(asked).toEqual([]);
  });
});

describe('if originals are stored', () => {
  test('each is downloaded once, and later images are made from the stored file', async () => {
    const { media, blobs, news } = newMedia(['/good'], {}, { keepLinked: 'on' });
    await media.ensure(source(null), W240);
    expect(news).toEqual([alive('/good', SHA)]);
    expect(Buffer.from(blobs.blobs.get(originalKey(SHA, 'gif'))!)).toEqual(Buffer.from(GIF));

    const later = newMedia(['/404'], { kept: SHA });
    await later.blobs.put(originalKey(SHA, 'gif'), GIF);
    asked = [];
    // The stored file is found even if its source lists no hash, or a different format.
    for (const listed of [source(null), source(null, { id: 'b', format: 'webp' })]) {
      await expect(later.media.ensure(listed, W240)).resolves.toHaveProperty('key');
    }
    expect([...later.blobs.blobs.keys()]).toEqual(expect.arrayContaining([...blobs.blobs.keys()]));
    expect(asked).toEqual([]);
    expect(later.news).toEqual([]);
  });

  test('a lost original is fetched and stored again', async () => {
    const { media, blobs } = newMedia(['/good'], { kept: SHA }, { keepLinked: 'on' });
    await expect(media.ensure(source(SHA), W240)).resolves.toHaveProperty('key');
    expect(asked).toEqual(['/good']);
    expect(blobs.blobs.has(originalKey(SHA, 'gif'))).toBe(true);
  });

  test('other bytes are not stored', async () => {
    const { media, blobs } = newMedia(['/other'], {}, { keepLinked: 'on' });
    await expect(media.ensure(source(SHA), W240)).rejects.toMatchObject({ code: 'not_found' });
    expect(blobs.puts).toEqual([]);
  });
});
