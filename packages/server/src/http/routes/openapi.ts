import { DISCOVERY_API, DISCOVERY_OPENAPI_PATH, OPENAPI_PATH, openApi } from '@zoetrope/contract';
import type { FastifyInstance } from 'fastify';
import type { HttpContext } from '../context.ts';

/**
 * Registers the OpenAPI descriptions. They are public, because the tools that read them are not registered clients.
 */
export function registerOpenApi(app: FastifyInstance, { publicUrl }: HttpContext): void {
  const descriptions = {
    [OPENAPI_PATH]: openApi(publicUrl),
    [DISCOVERY_OPENAPI_PATH]: openApi(publicUrl, DISCOVERY_API),
  };
  for (const [path, description] of Object.entries(descriptions)) {
    const body = Buffer.from(JSON.stringify(description, null, 2));
    app.get(path, (_, reply) =>
      reply
        .header('content-type', 'application/json; charset=utf-8')
        .header('cache-control', 'public, max-age=3600')
        .header('access-control-allow-origin', '*')
        .send(body),
    );
  }
}
