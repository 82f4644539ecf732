import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../../base/errors.ts';
import type { AccountContext } from '../context.ts';
import { descriptorOf, sendJson } from './descriptor.ts';
import { answerPreflight, onBehalfOf } from './member.ts';

const LIST = '/list/:pubkey';
const HASH = /^[0-9a-f]{64}$/;
/** Number of files in a response if the request sets no limit. */
const USUAL = 100;
const MOST = 1_000;

/** Registers the list of a member's own files, and their deletion (BUD-02). */
export function registerOwnFiles(app: FastifyInstance, context: AccountContext): void {
  const { console, mediaUrl } = context;

  app.get(
    LIST,
    onBehalfOf(context, 'list', async (request, reply, { pubkey }) => {
      if ((request.params as { pubkey: string }).pubkey !== pubkey) {
        throw new ServiceError('forbidden', 'You can list only the files that you uploaded yourself');
      }
      const query = new URL(request.url, mediaUrl).searchParams;
      const uploads = await console.listUploads({ pubkey, ...readPage(query), ...readTimes(query) });
      return sendJson(
        reply,
        uploads.map((upload) => descriptorOf(upload, mediaUrl)),
      );
    }),
  );
  answerPreflight(app, LIST, 'GET');

  app.delete(
    '/:sha256(^[0-9a-f]{64}$)',
    onBehalfOf(context, 'delete', async (request, reply, { pubkey, authorisation }) => {
      const { sha256 } = request.params as { sha256: string };
      await console.deleteUpload({ pubkey, sha256, authorisation });
      return reply.code(204).send();
    }),
  );
}

function readPage(query: URLSearchParams): { cursor: string | undefined; limit: number } {
  const cursor = query.get('cursor') ?? undefined;
  const limit = query.get('limit') ?? String(USUAL);
  if (cursor !== undefined && !HASH.test(cursor)) {
    throw new ServiceError('validation', 'cursor must be 64 hexadecimal digits in lower case');
  }
  if (!/^\d{1,4}$/.test(limit) || Number(limit) < 1 || Number(limit) > MOST) {
    throw new ServiceError('validation', `limit must be a number from 1 to ${MOST}`);
  }
  return { cursor, limit: Number(limit) };
}

function readTimes(query: URLSearchParams): { since: number | undefined; until: number | undefined } {
  const read = (name: 'since' | 'until') => {
    const given = query.get(name);
    if (given === null) return undefined;
    if (!/^\d{1,12}$/.test(given)) throw new ServiceError('validation', `${name} must be a time in seconds`);
    return Number(given) * 1_000;
  };
  const until = read('until');
  // The time in a descriptor has no fraction.
  return { since: read('since'), until: until === undefined ? undefined : until + 999 };
}
