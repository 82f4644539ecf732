import { ACCOUNT_BASE, type Challenge, Login } from '@zoetrope/contract/account';
import type { FastifyInstance } from 'fastify';
import type { Static } from 'typebox';
import { withReserve } from '../../platform/db/index.ts';
import type { AccountContext } from '../context.ts';
import { rawBody, readBody } from '../read-body.ts';
import { CHALLENGE_MS, createChallenge, noteEvent, takeChallenge } from '../sign-in/challenges.ts';
import { BROWSER_COOKIE, readCookie, SESSION_COOKIE, setCookie } from '../sign-in/cookies.ts';
import { reach, spend } from '../sign-in/guard.ts';
import { isOperator } from '../sign-in/operators.ts';
import { createSession, SESSION_MS } from '../sign-in/sessions.ts';
import { readSignedEvent } from '../sign-in/signed-event.ts';
import { showAccount } from './account.ts';

const LOGIN = '/auth/login';

/**
 * Registers the routes for signing in. One issues a challenge, the other accepts the event that signs the challenge.
 */
export function registerAuth(app: FastifyInstance, context: AccountContext): void {
  const { clock, publicUrl } = context;
  const u = `${publicUrl}${ACCOUNT_BASE}${LOGIN}`;
  app.addHook('onRequest', async ({ raw }) => spend(context, 'sign-in', context.addressOf(raw)));

  app.post('/auth/challenge', async (_, reply) => {
    const { challenge, browser, expiresAt } = await reach(async () =>
      createChallenge(await context.registry(), clock.now()),
    );
    reply.header('set-cookie', setCookie(BROWSER_COOKIE, browser, 'Strict', CHALLENGE_MS / 1_000));
    return { challenge, u, method: 'POST', expiresAt } satisfies Static<typeof Challenge>;
  });

  app.post(LOGIN, async (request, reply) => {
    const now = clock.now();
    const { headers } = request;
    const body = rawBody(request);
    const { pubkey, id } = await readSignedEvent(headers.authorization, { u, body, now });
    // The limit for the network does not apply to operators. Otherwise, strangers in an operator's network could stop
    // the operator from signing in.
    const mayOperate = await reach(() => isOperator(context, pubkey));
    if (!mayOperate) spend(context, 'sign-in-of-network', context.addressOf(request.raw));
    const { challenge } = readBody(request, Login);
    const browser = readCookie(headers.cookie, BROWSER_COOKIE);
    const userAgent = headers['user-agent'] ?? '';
    const signIn = () =>
      reach(async () => {
        const db = await context.registry();
        await takeChallenge(db, { challenge, browser }, now);
        await noteEvent(db, id, now);
        return createSession(db, { pubkey, userAgent }, now);
      });
    const { session, secret } = await (mayOperate ? withReserve('operator', signIn) : signIn());
    reply.header('set-cookie', [
      setCookie(SESSION_COOKIE, secret, 'Lax', SESSION_MS / 1_000),
      setCookie(BROWSER_COOKIE, '', 'Strict', 0),
    ]);
    return showAccount(context, { ...session, isOperator: mayOperate }, secret);
  });
}
