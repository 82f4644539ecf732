import fs from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../../base/errors.ts';
import { once } from '../../base/remember.ts';

const TYPES = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  map: 'application/json',
  ts: 'application/typescript; charset=utf-8',
};

/**
 * Serves a stylesheet or a script. Pages of all origins can load it, because other sites load the picker.
 * @param files the parts of the file, in order
 * @param more further headers
 */
export function registerFile(
  app: FastifyInstance,
  path: `/${string}.${keyof typeof TYPES}`,
  files: URL | readonly URL[],
  more: Record<string, string> = {},
): void {
  const type = TYPES[path.slice(path.lastIndexOf('.') + 1) as keyof typeof TYPES];
  const body = once(() => [files].flat().map(readText).join(''));
  app.get(path, (_, reply) =>
    reply
      .headers(more)
      .header('content-type', type)
      .header('cache-control', 'public, max-age=300')
      .header('x-content-type-options', 'nosniff')
      .header('access-control-allow-origin', '*')
      .header('cross-origin-resource-policy', 'cross-origin')
      .send(body()),
  );
}

/** Reads a text file. @throws ServiceError `not_found` */
export function readText(file: URL): string {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause;
    throw new ServiceError(
      'not_found',
      'This file has not been built; `npm start` in a clone of the repository builds it',
      {
        cause,
      },
    );
  }
}
