import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../../base/errors.ts';
import type { Authorisation } from '../console/console.ts';
import type { AccountContext } from '../context.ts';
import { spend } from '../sign-in/guard.ts';
import { type Action, readAuthorisation } from './authorisation.ts';

/** Pages of all origins can send these requests, because each one is signed. */
const OPEN_TO_ALL = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'X-Reason, Retry-After',
  'cache-control': 'no-store',
};

/** A member with an authorisation. */
export interface Member {
  pubkey: string;
  authorisation: Authorisation;
}

export type Handler = (request: FastifyRequest, reply: FastifyReply, member: Member) => Promise<FastifyReply>;

/**
 * Returns a handler for requests that a member has signed for this action. Blossom clients show the header X-Reason to
 * users.
 */
export function onBehalfOf(context: AccountContext, action: Action, handler: Handler) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    try {
      return await handler(request, reply.headers(OPEN_TO_ALL), await requireMember(request, context, action));
    } catch (error) {
      if (error instanceof ServiceError) reply.header('x-reason', inHeader(error.message));
      throw error;
    }
  };
}

/** Requires an authorisation from a member. The rate limit counts each request before its signature is checked. */
async function requireMember(request: FastifyRequest, context: AccountContext, action: Action): Promise<Member> {
  spend(context, 'upload', context.addressOf(request.raw));
  const { publicUrl, mediaUrl, clock, members } = context;
  const hosts = [...new Set([mediaUrl, publicUrl].map((url) => new URL(url).hostname))];
  const member = await readAuthorisation(request.headers.authorization, { action, hosts, now: clock.now() });
  if (members.pubkeys.has(member.pubkey)) return member;
  throw new ServiceError('forbidden', 'The operator of this service has not allowed this public key to upload');
}

/** Answers the preflight requests (CORS) of browsers. */
export function answerPreflight(app: FastifyInstance, path: string, methods: string): void {
  const headers = {
    'access-control-allow-methods': methods,
    'access-control-allow-headers': 'Authorization, *',
    'access-control-max-age': '86400',
  };
  app.options(path, (_, reply) =>
    reply
      .headers({ ...OPEN_TO_ALL, ...headers })
      .code(204)
      .send(),
  );
}

/** Replaces the characters that header values cannot contain. */
function inHeader(message: string): string {
  return message.replace(/[^\x20-\x7e]/g, '?');
}
