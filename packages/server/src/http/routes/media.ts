import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../../base/errors.ts';
import type { Soon } from '../../index/index.ts';
import {
  type BlobStore,
  type Derivative,
  derivativeFile,
  derivativePath,
  MEDIA_FORMATS,
  type MediaFormat,
  type MediaPath,
  type MediaSource,
  originalKey,
  parseMediaPath,
  RECIPE,
  type StoredDerivative,
} from '../../media/index.ts';
import { readBlob } from '../../platform/blobs/index.ts';
import { isNotModified, type Range, readRange } from '../conditional.ts';
import type { HttpContext } from '../context.ts';
import { spendBytes } from '../hooks/media-limit.ts';
import { type CachedFile, MediaCache } from './media-cache.ts';

export interface MediaDeps {
  /** Returns a GIF of the live index, or null if the id is unknown. */
  find(id: string): Soon<MediaSource | null>;
  /** Returns whether the original with this hash must not be served. */
  isWithheld(sha256: string): boolean;
  /** Returns the cache headers for a response about a GIF. */
  tell(id: string): Record<string, string>;
  /** Makes a file that is not stored yet (see `Media.ensure`). */
  ensure(source: MediaSource, derivative: Derivative): Promise<StoredDerivative>;
  readonly blobs: Pick<BlobStore, 'head' | 'get'>;
  /**
   * Returns a string that identifies the state of the index. A GIF that is shown in one epoch can be hidden in the
   * next.
   */
  epoch(): string;
  /** Cache size for small files, in bytes. */
  readonly mediaCacheBytes: number;
  readonly mediaLimits: HttpContext['mediaLimits'];
  readonly trustedProxies: number;
}

interface File {
  readonly key: string;
  readonly bytes: number;
  readonly contentType: string;
  readonly etag: string;
}

/** Every page and app can load images, because clients that never registered here show them in notes. */
const OPEN_TO_ALL = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'timing-allow-origin': '*',
  // Browsers must not treat a file as a page, even if it could be parsed as one.
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
};
/** Path of an original at the root, as in Blossom. */
const BLOB = '/:blob(^[0-9a-f]{64}[.a-z0-9]*$)';
const PREFLIGHT = {
  'access-control-allow-methods': 'GET, HEAD, PUT, DELETE',
  'access-control-allow-headers': 'Authorization, *',
  'access-control-max-age': '86400',
};
/**
 * The content of a URL never changes, because names of originals contain the hash, and URLs of previews also contain
 * the recipe.
 */
const FOR_EVER = 'public, max-age=31536000, immutable';
const UNKNOWN = 'public, max-age=60';
const NOT_MADE = 'public, max-age=300';

const NOTHING = {
  animated: 'this image is too large to animate; use its still',
  still: 'this image has no still',
  video: 'there is no MP4 of this image: it is a still, too long or too large',
};

/**
 * Registers `GET` and `HEAD` of originals (`/m/…`, and by hash at the root, for clients of Blossom), previews (`/p/…`) and videos (`/v/…`). Callers need not be
 * registered.
 */
export function registerMedia(app: FastifyInstance, deps: MediaDeps): void {
  const cache = new MediaCache(deps.mediaCacheBytes);
  const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    reply.headers(OPEN_TO_ALL);
    // The path is not decoded, because the service's URLs contain no escapes.
    const address = request.url.split('?', 1)[0]!;
    const epoch = deps.epoch();
    const kept = cache.get(epoch, address);
    const spend = (bytes: number) => spendBytes(deps, request, reply, bytes);
    const path = parseMediaPath(address);
    if (path !== null) reply.headers(deps.tell(idOf(path)));
    if (kept) return sendKept(request, reply, kept, spend);
    if (path === null) throw notFound(reply, 'no image has this URL');
    if (path.type === 'derivative' && path.recipe !== RECIPE) return redirect(reply, path);
    const file = await findFile(deps, request, reply, path);
    const body = file.bytes <= cache.largest ? await readBlob(deps.blobs, file.key) : null;
    if (body === null) {
      return sendFile(request, reply, file, { spend, read: (range) => deps.blobs.get(file.key, range ?? undefined) });
    }
    const { contentType, etag } = file;
    cache.set(epoch, address, { body, contentType, etag });
    return sendKept(request, reply, { body, contentType, etag }, spend);
  };
  for (const url of ['/m/*', '/p/*', '/v/*', BLOB]) app.route({ method: ['GET', 'HEAD'], url, handler });
  app.options(BLOB, (_, reply) => reply.headers(OPEN_TO_ALL).headers(PREFLIGHT).code(204).send());
}

function idOf(path: MediaPath): string {
  return path.type === 'derivative' ? path.id : `${path.sha256}.gif`;
}

function findFile(deps: MediaDeps, request: FastifyRequest, reply: FastifyReply, path: MediaPath): Promise<File> {
  if (path.type === 'derivative') return findDerivative(deps, request, reply, path);
  return findOriginal(deps, reply, path.sha256, path.type === 'original' ? [path.format] : MEDIA_FORMATS);
}

/**
 * Redirects to the current recipe. Notes that are years old can contain URLs of previews that were made with an older
 * recipe.
 */
function redirect(reply: FastifyReply, { id, derivative }: MediaPath & { type: 'derivative' }): FastifyReply {
  // The path is /p/recipe/fit/name, /v/recipe/fit/name or /v/recipe/name. A proxy may have removed a prefix of the path.
  const depth = derivative.fit === undefined ? 2 : 3;
  return reply
    .header('cache-control', NOT_MADE)
    .redirect(`${'../'.repeat(depth)}${derivativePath(id, derivative).slice(1)}`, 302);
}

async function findOriginal(
  { blobs, isWithheld }: MediaDeps,
  reply: FastifyReply,
  sha256: string,
  formats: readonly MediaFormat[],
): Promise<File> {
  if (isWithheld(sha256)) throw notFound(reply, 'this image was removed');
  for (const format of formats) {
    const key = originalKey(sha256, format);
    const found = await blobs.head(key);
    if (found !== null) return { key, bytes: found.bytes, contentType: `image/${format}`, etag: `"${sha256}"` };
  }
  throw notFound(reply, 'no original has this URL');
}

async function findDerivative(
  { find, ensure, blobs }: MediaDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { id, derivative }: MediaPath & { type: 'derivative' },
): Promise<File> {
  const source = await find(id);
  if (source === null) throw notFound(reply, 'no GIF has this id');
  const wanted = derivativeFile(source, derivative);
  if (wanted === null) throw notFound(reply, NOTHING[derivative.kind], NOT_MADE);
  const { key, contentType } = wanted;
  let found = await blobs.head(key);
  if (found === null) {
    found = await ensure(source, derivative).catch(rememberedBy(reply));
    request.outcome = 'made';
  }
  const etag = `"${RECIPE}-${createHash('sha256').update(key).digest('base64url').slice(0, 22)}"`;
  return { key, bytes: found.bytes, contentType, etag };
}

function rememberedBy(reply: FastifyReply): (error: unknown) => never {
  return (error) => {
    if (error instanceof ServiceError && error.code === 'not_found') reply.header('cache-control', NOT_MADE);
    throw error;
  };
}

function notFound(reply: FastifyReply, message: string, cacheControl = UNKNOWN): ServiceError {
  // Clients of Blossom show this header.
  reply.header('cache-control', cacheControl).header('x-reason', message);
  return new ServiceError('not_found', message);
}

function sendKept(
  request: FastifyRequest,
  reply: FastifyReply,
  file: CachedFile,
  spend: Source['spend'],
): Promise<FastifyReply> {
  const read: Source['read'] = (range) => (range === null ? file.body : file.body.subarray(range.start, range.end + 1));
  return sendFile(request, reply, { ...file, bytes: file.body.length }, { read, spend });
}

/** The source of a file's bytes. */
interface Source {
  /** Reads a range. Returns null if the file was deleted in the meantime. */
  read(range: Range | null): Uint8Array | Promise<Readable | null>;
  /** Counts the bytes sent. @throws ServiceError `rate_limited` */
  spend(bytes: number): Promise<void>;
}

async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { bytes, contentType, etag }: Omit<File, 'key'>,
  { read, spend }: Source,
): Promise<FastifyReply> {
  const validators = { etag, 'cache-control': FOR_EVER };
  if (isNotModified(request.headers['if-none-match'], etag)) return reply.code(304).headers(validators).send();
  // Ranges apply only to GET. HEAD describes the whole file.
  const range = request.method === 'GET' ? readRange(request.headers, etag, bytes) : null;
  if (range === 'unsatisfiable') {
    reply.code(416).headers({ 'content-range': `bytes */${bytes}`, 'cache-control': 'no-store' });
    return reply.send({ error: { code: 'validation', message: `Range must start below ${bytes}` } });
  }
  const length = range === null ? bytes : range.end - range.start + 1;
  if (request.method === 'GET') await spend(length);
  const body = request.method === 'GET' ? await read(range) : undefined;
  if (body === null) throw notFound(reply, 'this image has just been removed');
  reply.headers({ ...validators, 'content-type': contentType, 'accept-ranges': 'bytes', 'content-length': length });
  if (range !== null) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${bytes}`);
  return reply.send(body);
}
