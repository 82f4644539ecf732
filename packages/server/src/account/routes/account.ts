import type { Account } from '@zoetrope/contract/account';
import type { FastifyInstance } from 'fastify';
import type { Static } from 'typebox';
import type { AccountContext } from '../context.ts';
import { readCookie, SESSION_COOKIE, setCookie } from '../sign-in/cookies.ts';
import { type SignedIn, sessionOf } from '../sign-in/guard.ts';
import { toNpub } from '../sign-in/npub.ts';
import { csrfToken } from '../sign-in/secrets.ts';
import { endSession, listSessions } from '../sign-in/sessions.ts';

/** Registers the routes for the signed-in user and their sessions. */
export function registerAccount(app: FastifyInstance, context: AccountContext): void {
  app.get('/account', (request) =>
    showAccount(context, sessionOf(request), readCookie(request.headers.cookie, SESSION_COOKIE)),
  );

  app.post('/account/sign-out', async (request, reply) => {
    await endSession(await context.registry(), sessionOf(request));
    reply.header('set-cookie', setCookie(SESSION_COOKIE, '', 'Lax', 0));
    return {};
  });

  app.delete<{ Params: { sessionId: string } }>('/account/sessions/:sessionId', async (request) => {
    await endSession(await context.registry(), { ...sessionOf(request), id: request.params.sessionId });
    return {};
  });
}

export async function showAccount(
  { registry, clock }: AccountContext,
  { id, pubkey, isOperator }: SignedIn,
  secret: string,
): Promise<Static<typeof Account>> {
  const sessions = await listSessions(await registry(), pubkey, clock.now());
  return {
    pubkey,
    npub: await toNpub(pubkey),
    isOperator,
    csrf: csrfToken(secret),
    sessions: sessions.map(({ pubkey: _, ...session }) => ({ ...session, current: session.id === id })),
  };
}
