import { describe, expect } from 'vitest';
import { sentence } from './sentence.ts';
import { OPERATION_PATHS, useCatalogue } from './service.ts';

const service = useCatalogue();
const REFUSED = { status: 403, code: 'client_not_registered' };

async function status(headers: Record<string, string>): Promise<number> {
  return (await service.get('/api/v1/search?q=dog', headers)).status;
}

describe('Authentication', () => {
  sentence(112, async () => {
    for (const path of OPERATION_PATHS) {
      for (const headers of [{}, { origin: 'https://stranger.example' }, { authorization: 'Bearer nobody_knows' }]) {
        expect(await service.fail(path, headers)).toMatchObject(REFUSED);
      }
    }
    // The caller is checked before the parameters.
    expect(await service.fail('/api/v1/search', {})).toMatchObject(REFUSED);
    expect(await service.fail('/api/v1/search?q=dog&safe=0', {})).toMatchObject(REFUSED);
  });

  sentence(114, async () => {
    const origin = 'https://stranger.example';
    for (const others of [{}, { authorization: 'Bearer some_key' }, { 'user-agent': 'App/1.0' }]) {
      const refused = await service.fail('/api/v1/search?q=dog', { ...others, origin });
      expect(refused).toMatchObject({ ...REFUSED, message: expect.stringContaining(origin) });
      expect(await status({ ...others, origin: 'http://localhost' })).toBe(200);
    }
    // An opaque Origin counts as no Origin, so the request has no identification at all.
    expect(await service.fail('/api/v1/search?q=dog', { origin: 'null' })).toEqual(
      await service.fail('/api/v1/search?q=dog', {}),
    );
  });

  sentence(123, async () => {
    for (const host of ['localhost', '127.0.0.1', '[::1]']) {
      for (const port of ['', ':3000', ':65535']) {
        expect(await status({ origin: `http://${host}${port}` })).toBe(200);
        expect(await status({ origin: `https://${host}${port}` })).toBe(200);
      }
    }
    for (const origin of [
      'http://localhost.stranger.example',
      'http://stranger.example?localhost',
      'http://user@localhost',
      'http://localhost/',
      'http://127.0.0.2',
      'http://[::2]',
      'ftp://localhost',
      'localhost',
    ]) {
      expect(await status({ origin }), origin).toBe(403);
    }
  });

  sentence(126, async () => {
    const attempts: Record<string, string>[] = [
      { 'user-agent': 'NativeApp/1.0 (iOS)' },
      { 'user-agent': 'okhttp/4.12.0', referer: 'http://localhost/' },
      { 'x-forwarded-for': '127.0.0.1' },
      { authorization: 'Bearer http://localhost' },
      { 'x-origin': 'http://localhost', 'sec-fetch-site': 'same-origin' },
    ];
    for (const path of OPERATION_PATHS) {
      for (const headers of attempts) expect(await service.fail(path, headers)).toMatchObject(REFUSED);
    }
  });

  sentence(137, async () => {
    const { paths } = await service.description();
    expect(Object.keys(paths)).toEqual(['/api/v1/search', '/api/v1/suggest', '/api/v1/gifs/{id}/similar']);
    for (const path of ['clients', 'register', 'keys', 'origins']) {
      expect((await service.get(`/api/v1/${path}`)).status).toBe(404);
    }
  });
});
