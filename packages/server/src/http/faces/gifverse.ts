import type { Gif } from '@zoetrope/contract';
import type { FastifyReply } from 'fastify';
import { ServiceError } from '../../base/errors.ts';
import type { HttpContext } from '../context.ts';
import { toGif } from '../results.ts';
import { type Face, registerLists } from './face.ts';
import { pageOf } from './read.ts';
import { renditionsOf } from './renditions.ts';

/**
 * Time for which apps reuse the address of a file, in seconds. The time is short, because a hidden GIF must disappear
 * soon.
 */
const FILE_S = 60;

/** The API of GIFverse, which Vector, Ditto and Armada use. The apps derive the addresses of files from the id. */
export const gifverse: Face = {
  register(parts) {
    registerLists(parts, {
      paths: { search: '/gifverse/api/v1/search', trending: '/gifverse/api/v1/trending' },
      names: { q: 'q', lang: 'lang' },
      readPage: (raw) => pageOf(raw, { limit: 'limit', offset: 'offset' }, { most: 100, usual: 30 }),
      write: ({ items, count, offset, limit }) => ({
        results: items.map(toItem),
        pagination: { total: count, limit, offset, has_more: offset + limit < count },
      }),
      problem: gifverse.problem,
    });
  },
  registerOpen({ app, context }) {
    app.get<{ Params: { id: string; file: string } }>('/gifverse/media/:id/:file', async ({ params }, reply) => {
      const { original, mp4, w240 } = renditionsOf(await find(params.id, context));
      const files = { 'original.gif': original, gif: original, mp4, webp: w240 };
      return redirect(reply, Object.entries(files).find(([name]) => name === params.file)?.[1] ?? undefined);
    });
  },
  problem: ({ message }) => ({
    error: message,
    results: [],
    pagination: { total: 0, limit: 0, offset: 0, has_more: false },
  }),
};

async function find(id: string, context: HttpContext): Promise<Gif> {
  const found = await context.lease().index.forRequest().find(id);
  if (found === undefined) throw new ServiceError('not_found', `No GIF has the id ${id.slice(0, 200)}`);
  return toGif(found, context);
}

function redirect(reply: FastifyReply, file: { url: string } | undefined): FastifyReply {
  if (file === undefined) throw new ServiceError('not_found', 'This GIF has no such file');
  return reply
    .header('cache-control', `public, max-age=${FILE_S}`)
    .header('access-control-allow-origin', '*')
    .redirect(file.url, 302);
}

function toItem(gif: Gif): object {
  const { width, height, bytes } = gif;
  return {
    i: gif.id,
    ti: gif.title,
    w: width,
    h: height,
    ...(bytes === null ? {} : { s: bytes }),
    f: gif.mp4 === null ? [] : ['mp4'],
    nsfw: false,
  };
}
