import { createHash } from 'node:crypto';
import { OPERATIONS } from '@zoetrope/contract';
import { describe, expect } from 'vitest';
import { DEVELOPMENT } from '../support/server.ts';
import { sentence } from './sentence.ts';
import { download, OPERATION_PATHS, readFailure, useCatalogue } from './service.ts';

const service = useCatalogue();

describe('GIF Search Service Specification', () => {
  sentence(2, async () => {
    expect((await service.description()).servers).toEqual([{ url: service.url }]);
  });

  sentence(3, async () => {
    const { servers, paths } = await service.description();
    for (const path of Object.keys(paths)) {
      const address = `${servers[0]!.url}${path.replace('{id}', 'dog.gif')}?q=dog`;
      const response = await fetch(address, { headers: DEVELOPMENT });
      expect(response.status, address).not.toBe(404);
    }
  });
});

describe('What the service does', () => {
  sentence(4, async () => {
    for (const path of ['/', '/api/v1/openapi.json', ...OPERATION_PATHS]) {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const response = await fetch(service.url + path, { method, headers: DEVELOPMENT });
        expect(await readFailure(response)).toMatchObject({ status: 405, code: 'method_not_allowed' });
      }
    }
    const response = await service.get('/api/v1/search?q=zoo');
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    const { items } = await service.search('q=zoo&mode=text');
    expect(new Set(items.map((item) => item.format))).toEqual(new Set(['gif', 'webp']));
  });

  sentence(7, async () => {
    const { paths } = await service.description();
    expect(Object.entries(paths).map(([path, methods]) => [path, Object.keys(methods)])).toEqual(
      Object.values(OPERATIONS).map(({ path }) => [path, ['get']]),
    );
    for (const path of OPERATION_PATHS) {
      const response = await fetch(service.url + path, { method: 'POST', headers: DEVELOPMENT });
      expect(response.status).toBe(405);
    }
  });

  sentence(8, async () => {
    for (const path of OPERATION_PATHS) {
      expect(await service.fail(path, {})).toMatchObject({ status: 403, code: 'client_not_registered' });
      expect((await service.get(path)).status).not.toBe(403);
    }
  });

  sentence(14, async () => {
    for (const word of ['mouse', 'wolf']) {
      const { url } = await service.gif(word);
      const response = await fetch(url, {
        headers: { origin: 'https://reader.example', referer: 'https://reader.example/note' },
      });
      expect(response.status).toBe(200);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
        'cache-control': 'public, max-age=31536000, immutable',
      });
    }
    const linked = await service.gif('tail dog');
    expect(linked.url).toBe('https://gifs.example/dog.gif');
  });

  sentence(15, async () => {
    for (const word of ['mouse', 'wolf']) {
      const { id, url, format, width, height, bytes, previews } = await service.gif(word);
      const file = await download(url);
      const imeta = [
        `url ${url}`,
        `m image/${format}`,
        `x ${id.slice(0, 64)}`,
        `size ${bytes}`,
        `dim ${width}x${height}`,
        `thumb ${previews.w240.still}`,
      ];
      expect(imeta).toContain(`x ${createHash('sha256').update(file).digest('hex')}`);
      expect(imeta).toContain(`size ${file.length}`);
      expect((await fetch(url)).headers.get('content-type')).toBe(`image/${format}`);
    }
  });
});
