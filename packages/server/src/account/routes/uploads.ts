import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../../base/errors.ts';
import { recordsOf } from '../../moderation/index.ts';
import { findFile, findUpload } from '../../uploads/index.ts';
import { createReceiver } from '../console/uploads.ts';
import type { AccountContext } from '../context.ts';
import { sessionOf } from '../sign-in/guard.ts';
import { sendPicture } from './moderation.ts';

interface OfFile {
  Params: { sha256: string };
}

/** Registers the routes with which members upload files, see the state of their files, and delete files. */
export function registerUploads(app: FastifyInstance, context: AccountContext): void {
  const { console, uploads, members } = context;
  const receive = createReceiver(uploads);
  app.addHook('onRequest', async (request) => {
    if (members.pubkeys.has(sessionOf(request).pubkey)) return;
    throw new ServiceError('forbidden', 'The operator of this service has not allowed this public key to upload');
  });

  app.get('/uploads', (request) => console.uploadsOf(sessionOf(request).pubkey));

  app.get<OfFile>('/uploads/files/:sha256/picture', async (request, reply) => {
    const { sha256 } = request.params;
    const db = await context.catalogue();
    const isOwn = (await findUpload(db, sha256))?.pubkey === sessionOf(request).pubkey;
    // If the file was removed or blocked, the response is an error.
    const isThere = isOwn && (await findFile(db, sha256)) !== undefined;
    const [gif] = isThere ? await recordsOf(db, [`${sha256}.gif`]) : [];
    return sendPicture(reply, gif && (await context.picture(gif, 'still')));
  });

  app.delete<OfFile>('/uploads/files/:sha256', async (request) => {
    const { pubkey } = sessionOf(request);
    await console.deleteUpload({ pubkey, sha256: request.params.sha256, authorisation: undefined });
    return {};
  });

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
