import type { FastifyInstance, FastifyReply } from 'fastify';
import { basePathOf, withBasePath } from '../../base/base-path.ts';
import { ServiceError } from '../../base/errors.ts';
import type { StoredGif } from '../../builds/index.ts';
import type { Search } from '../../index/index.ts';
import { idOfName, nameOfId } from '../../media/index.ts';
import { addressOf } from '../address.ts';
import type { AnswerCache } from '../answer.ts';
import { readQueryString } from '../cached-route.ts';
import type { HttpContext } from '../context.ts';
import { sendBytes } from '../page/frame.ts';
import { describeEmbed, renderGif } from '../page/gif.ts';
import { pathOf } from '../page/tile.ts';
import { textsFor, textsOf } from '../page/words/words.ts';
import { toGif } from '../results.ts';
import type { Turns } from '../turns.ts';
import { toKept } from './home.ts';

/** Number of similar GIFs on a page. */
const SIMILAR = 12;

/**
 * Registers the page of each GIF, and its description for other services (oEmbed). Both have a rate limit for each IP
 * address, like searches on the page. A GIF that was hidden or removed is not found immediately after that.
 */
export function registerGif(app: FastifyInstance, context: HttpContext, cache: AnswerCache, turns: Turns): void {
  const { operator, publicUrl } = context;
  const isListed = context.robots === 'index';

  app.get<{ Params: { name: string } }>('/g/:name', async (request, reply) => {
    const { name } = request.params;
    const texts = textsFor(request.raw);
    const verdict = context.limitPages(addressOf(request.raw, context.trustedProxies));
    if (verdict?.allowed === false) throw tooMany(verdict.retryAfterSeconds);
    const { index: current, epoch } = context.lease();
    const key = `gif ${texts.language} ${name}`;
    const kept = cache.get(epoch, key);
    if (kept) return sendBytes(reply, kept.body);
    const index = current.forRequest();
    const id = idIn(name);
    const found = id === null ? undefined : await index.find(id);
    if (found === undefined)
      throw new ServiceError('not_found', `This service has no GIF ${name}, or no longer shows it`);
    const path = pathOf(found);
    if (path !== `/g/${name}`) {
      reply.header('cache-control', 'no-cache');
      return reply.redirect(basePathOf(publicUrl) + path, 301);
    }
    const similar = await similarTo(found.id, index, turns);
    const gifs = [found, ...similar].map((gif) => toGif(gif, context));
    const page = { gif: gifs[0]!, similar: gifs.slice(1), operator, publicUrl, isListed, texts };
    const body = Buffer.from(withBasePath(renderGif(page), publicUrl));
    cache.set(epoch, key, toKept(body));
    return sendBytes(reply, body);
  });

  app.get('/oembed', async (request, reply) => {
    const { url, format, maxwidth, maxheight } = readQueryString(request.raw.url!);
    const verdict = context.limitPages(addressOf(request.raw, context.trustedProxies));
    if (verdict?.allowed === false) throw tooMany(verdict.retryAfterSeconds);
    if (format !== undefined && format !== 'json') {
      throw new ServiceError('validation', 'format must be json: no other format is available');
    }
    const most = { width: readSide('maxwidth', maxwidth), height: readSide('maxheight', maxheight) };
    const id = typeof url === 'string' ? idOf(url, publicUrl) : null;
    const found = id === null ? undefined : await context.lease().index.forRequest().find(id);
    if (found === undefined) {
      throw new ServiceError('not_found', `url must be the address of a GIF's page, such as ${publicUrl}/g/…`);
    }
    const gif = toGif(found, context);
    return sendJson(reply, describeEmbed({ gif, operator, publicUrl, texts: textsOf('en') }, most));
  });
}

/** Returns the GIFs that look like a given GIF. Like searches on the page, these requests are handled one at a time. */
async function similarTo(id: string, index: Search, turns: Turns): Promise<readonly StoredGif[]> {
  const end = await turns.take();
  try {
    return (await (await index.similar(id, SIMILAR))?.gifs(0, SIMILAR)) ?? [];
  } finally {
    end();
  }
}

function tooMany(retryAfter: number): ServiceError {
  return new ServiceError('rate_limited', `Too many pages; try again in ${retryAfter} s`, { retryAfter });
}

/**
 * Returns the id to which the last part of a path refers. The last part can also be the id itself, because some people
 * type the id.
 */
function idIn(name: string): string | null {
  return name.endsWith('.gif') ? idOfName(nameOfId(name)) : idOfName(name);
}

/** Returns the id in the URL of a GIF's page. */
function idOf(url: string, publicUrl: string): string | null {
  const start = `${publicUrl}/g/`;
  return url.startsWith(start) ? idIn(url.slice(start.length).split(/[?#]/)[0]!) : null;
}

/** Reads the maximum length of a side, in pixels. @throws ServiceError `validation` */
function readSide(name: string, value: unknown): number {
  if (value === undefined) return Number.POSITIVE_INFINITY;
  if (typeof value === 'string' && /^[1-9]\d{0,5}$/.test(value)) return Number(value);
  throw new ServiceError('validation', `${name} must be a whole number of pixels, from 1 to 999999`);
}

/** Sends JSON that all pages can read. A GIF can be hidden at any moment, so the response must not be cached. */
function sendJson(reply: FastifyReply, value: unknown): FastifyReply {
  return reply
    .header('content-type', 'application/json; charset=utf-8')
    .header('cache-control', 'no-cache')
    .header('access-control-allow-origin', '*')
    .send(JSON.stringify(value));
}
