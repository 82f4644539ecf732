import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { MemberUpload } from '@zoetrope/contract/account';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../../base/errors.ts';
import type { Authorisation } from '../console/console.ts';
import { createReceiver } from '../console/uploads.ts';
import type { AccountContext } from '../context.ts';
import { descriptorOf, sendJson } from './descriptor.ts';
import { answerPreflight, type Handler, onBehalfOf } from './member.ts';
import { registerOwnFiles } from './own-files.ts';

const BODY_BYTES = 16 * 1024;
const TYPES = /^(?:image\/(?:gif|webp)|application\/octet-stream)$/;
const HASH = /^[0-9a-f]{64}$/;

/**
 * Registers uploads (BUD-02, BUD-06), mirroring (BUD-04), lists and deletions for the members. Nobody can get a file
 * until an operator has reviewed it.
 */
export function registerBlossom(app: FastifyInstance, context: AccountContext): void {
  const receive = createReceiver(context.uploads);
  const { console } = context;
  const forMember = (handler: Handler) => onBehalfOf(context, 'upload', handler);

  app.head(
    '/upload',
    forMember(async (request, reply, { pubkey, authorisation }) => {
      const { length, sha256 } = readFacts(request, 'x-content-', context);
      const only = authorisation.hashes.length === 1 ? authorisation.hashes[0] : undefined;
      if (sha256 !== undefined) requireNamed(authorisation, sha256);
      await console.checkUpload({ pubkey, bytes: length ?? 1, sha256: sha256 ?? only, authorisation });
      return reply.code(200).send();
    }),
  );

  within(app, (files) => {
    files.addContentTypeParser('*', (_, payload, parsed) => parsed(null, payload));
    // The rest of a refused file is not read.
    files.addHook('onRequest', async (_, reply) => void reply.header('connection', 'close'));
    files.put(
      '/upload',
      forMember(async (request, reply, member) => {
        const { length, sha256: named } = readFacts(request, 'content-', context);
        const { pubkey, authorisation } = member;
        if (length === undefined) throw new ServiceError('validation', 'Content-Length must be the size of the file');
        if (named !== undefined) requireNamed(authorisation, named);
        const expected = named ?? (authorisation.hashes.length === 1 ? authorisation.hashes[0] : undefined);
        await console.checkUpload({ pubkey, bytes: length, sha256: expected, authorisation });
        const run = randomUUID();
        const file = await receive(request.body as Readable, { batch: run, name: run, length });
        const { name: _, ...facts } = file;
        const taken = await console.takeUpload({ pubkey, run, ...facts, authorisation });
        return sendDescriptor(reply, context, taken);
      }),
    );
  });

  within(app, (small) => {
    small.addContentTypeParser('*', { parseAs: 'string', bodyLimit: BODY_BYTES }, (_, body, done) => done(null, body));
    small.put(
      '/mirror',
      forMember(async (request, reply, member) => {
        const url = readUrl(request.body);
        return sendDescriptor(reply, context, await console.mirrorUpload({ ...member, url }));
      }),
    );
  });

  for (const path of ['/upload', '/mirror']) answerPreflight(app, path, 'PUT, HEAD');
  registerOwnFiles(app, context);
}

function within(app: FastifyInstance, add: (app: FastifyInstance) => void): void {
  app.register((inner, _, done) => {
    inner.removeAllContentTypeParsers();
    add(inner);
    done();
  });
}

/**
 * Reads the type, size and hash of a file from the headers of a request.
 * @param prefix start of the names of the headers with type and length
 */
function readFacts(
  { headers }: FastifyRequest,
  prefix: 'content-' | 'x-content-',
  { uploads }: AccountContext,
): { length: number | undefined; sha256: string | undefined } {
  const [type, length] = [headers[`${prefix}type`], headers[`${prefix}length`]];
  const sha256 = headers['x-sha-256'];
  if (type !== undefined && !TYPES.test(String(type).split(';')[0]!.trim().toLowerCase())) {
    throw new ServiceError('unsupported_media_type', 'The file must be image/gif or image/webp');
  }
  if (length !== undefined && !/^\d{1,12}$/.test(String(length))) {
    throw new ServiceError('validation', `${prefix}length must be a number of bytes`);
  }
  if (Number(length ?? 0) > uploads.maxBytes) {
    throw new ServiceError('validation', `The file is larger than ${uploads.maxBytes} bytes`);
  }
  if (sha256 !== undefined && !HASH.test(String(sha256))) {
    throw new ServiceError('validation', 'X-SHA-256 must be 64 hexadecimal digits in lower case');
  }
  return { length: length === undefined ? undefined : Number(length), sha256: sha256?.toString() };
}

function requireNamed({ hashes }: Authorisation, sha256: string): void {
  if (hashes.includes(sha256)) return;
  throw new ServiceError('login_refused', 'The authorisation is for another file: X-SHA-256 is not in an x tag');
}

function readUrl(body: unknown): string {
  try {
    const { url } = JSON.parse(String(body)) as { url?: unknown };
    if (typeof url === 'string') return url;
  } catch {} // the error below describes the expected body
  throw new ServiceError('validation', 'The body must be JSON with the url of the file');
}

/** Sends a blob descriptor (BUD-02). The status is 202 while nobody can get the file. */
function sendDescriptor(reply: FastifyReply, { mediaUrl }: AccountContext, upload: MemberUpload): FastifyReply {
  const isServed = upload.state === 'accepted';
  if (!isServed) reply.header('x-reason', 'The file waits for a review by the operator, and is not served before');
  return sendJson(reply.code(isServed ? 200 : 202), descriptorOf(upload, mediaUrl));
}
