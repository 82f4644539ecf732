import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../../base/errors.ts';
import { createReceiver } from '../console/uploads.ts';
import type { AccountContext } from '../context.ts';
import { sessionOf } from '../sign-in/guard.ts';

/** Registers the routes with which members upload files and see what became of them. */
export function registerUploads(app: FastifyInstance, { console, uploads, members }: AccountContext): void {
  const receive = createReceiver(uploads);
  app.addHook('onRequest', async (request) => {
    if (members.pubkeys.has(sessionOf(request).pubkey)) return;
    throw new ServiceError('forbidden', 'The operator of this service has not allowed this public key to upload');
  });

  app.get('/uploads', (request) => console.uploadsOf(sessionOf(request).pubkey));

  app.register((files, _, done) => {
    files.addContentTypeParser('application/octet-stream', (__, payload, parsed) => parsed(null, payload));
    files.post<{ Params: { name: string } }>(
      '/uploads/files/:name',
      { config: { takesFile: true } },
      async (request, reply) => {
        const { pubkey } = sessionOf(request);
        const length = Number(request.headers['content-length'] ?? 0);
        // The rest of a refused file is not read.
        reply.header('connection', 'close');
        await console.checkUpload({ pubkey, bytes: length, sha256: undefined, authorisation: undefined });
        const run = randomUUID();
        const { name: _, ...file } = await receive(request.body as Readable, {
          ...{ batch: run, name: request.params.name, length },
        });
        return console.takeUpload({ pubkey, run, ...file, authorisation: undefined });
      },
    );
    done();
  });
}
