import fs from 'node:fs/promises';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../../base/errors.ts';
import type { HttpContext } from '../context.ts';
import { limitLikePage } from '../hooks/page-limit.ts';

const MANIFEST = 'manifest.json';
const PART = /^[0-9a-f]{64}\.jsonl\.gz$/;

/**
 * Registers the files of the published catalogue, for services that follow it. The files are made in advance. Requests
 * for them have the limits of the service's own pages.
 */
export function registerCatalogue(app: FastifyInstance, context: HttpContext): void {
  const { catalogue } = context;
  if (catalogue === undefined) return;
  app.get<{ Params: { name: string } }>('/catalogue/:name', async (request, reply) => {
    limitLikePage(request, context);
    const { name } = request.params;
    if (name !== MANIFEST && !PART.test(name)) throw missing(name);
    const bytes = await read(path.join(catalogue, name));
    return reply
      .header('content-type', name === MANIFEST ? 'application/json; charset=utf-8' : 'application/gzip')
      .header('cache-control', name === MANIFEST ? 'no-cache' : 'public, max-age=31536000, immutable')
      .header('x-content-type-options', 'nosniff')
      .header('access-control-allow-origin', '*')
      .send(bytes);
  });
}

async function read(file: string): Promise<Buffer> {
  try {
    return await fs.readFile(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw missing(path.basename(file));
  }
}

function missing(name: string): ServiceError {
  return new ServiceError('not_found', `The catalogue has no file ${name.slice(0, 100)}; read ${MANIFEST} again`);
}
