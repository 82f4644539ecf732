import { OPENAPI_PATH, openApi } from '@zoetrope/contract';
import type { FastifyInstance } from 'fastify';
import type { HttpContext } from '../context.ts';

/**
 * Registers the OpenAPI description. The description is public, because the tools that read it are not registered
 * clients.
 */
export function registerOpenApi(app: FastifyInstance, { publicUrl }: HttpContext): void {
  const body = Buffer.from(JSON.stringify(openApi(publicUrl), null, 2));
  app.get(OPENAPI_PATH, (_, reply) =>
    reply
      .header('content-type', 'application/json; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .header('access-control-allow-origin', '*')
      .send(body),
  );
}
