import type { Readable } from 'node:stream';
import { BATCH_PATTERN, NewAddress, NewImport, type UploadedFile } from '@zoetrope/contract/account';
import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../../base/errors.ts';
import { createReceiver } from '../console/uploads.ts';
import type { AccountContext } from '../context.ts';
import { actorOf } from '../own.ts';
import { readBody } from '../read-body.ts';

interface OfBatch {
  Params: { batch: string; name: string };
}

interface OfImport {
  Params: { importId: string };
}

/** Registers the routes with which operators add GIFs and see the results of their imports. */
export function registerImports(app: FastifyInstance, context: AccountContext): void {
  const { console, uploads } = context;
  const receive = createReceiver(uploads);
  app.register((files, _, done) => {
    files.addContentTypeParser('application/octet-stream', (__, payload, parsed) => parsed(null, payload));
    files.post<OfBatch>(
      '/review/uploads/:batch/files/:name',
      { config: { takesFile: true } },
      async (request, reply) => {
        const { batch, name } = request.params;
        const length = Number(request.headers['content-length'] ?? 0);
        // The rest of a refused file is not read.
        reply.header('connection', 'close');
        const file = await receive(request.body as Readable, { batch: readBatch(batch), name, length });
        return { name: file.name, bytes: file.bytes } satisfies UploadedFile;
      },
    );
    done();
  });

  app.post<OfBatch>('/review/uploads/:batch/addresses', async (request) => {
    const { url } = readBody(request, NewAddress);
    return console.download(readBatch(request.params.batch), url);
  });

  app.get('/review/imports', ({ url }) =>
    console.imports(readNumber(new URL(url, 'http://here').searchParams.get('before') ?? '0')),
  );

  app.post('/review/imports', (request) => console.startImport(readBody(request, NewImport)));

  app.get<OfImport>('/review/imports/:importId', ({ params }) => console.findImport(readNumber(params.importId)));

  app.post<OfImport>('/review/imports/:importId/pause', async (request) => {
    const { by } = await actorOf(request, context);
    return console.pauseImport(by, readNumber(request.params.importId), true);
  });

  app.post<OfImport>('/review/imports/:importId/continue', async (request) => {
    const { by } = await actorOf(request, context);
    return console.pauseImport(by, readNumber(request.params.importId), false);
  });

  app.post<OfImport>('/review/imports/:importId/retry', ({ params }) =>
    console.retryImport(readNumber(params.importId)),
  );
}

const BATCH = new RegExp(BATCH_PATTERN);

function readBatch(batch: string): string {
  if (BATCH.test(batch)) return batch;
  throw new ServiceError('validation', 'batch must be 32 hexadecimal digits');
}

function readNumber(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new ServiceError('validation', 'The number of an import must be a whole number');
}
