import { type Account, AccountChange, ClaimOperator, type NoticeList, ReadNotices } from '@zoetrope/contract/account';
import type { FastifyInstance } from 'fastify';
import type { Static } from 'typebox';
import { ServiceError } from '../../base/errors.ts';
import { isOwner } from '../../identifiers/index.ts';
import { chooseMessages, countUnread, listNotices, readNotices, wantsMessages } from '../../notices/index.ts';
import type { Database } from '../../platform/db/index.ts';
import type { AccountContext } from '../context.ts';
import { readBody } from '../read-body.ts';
import { readCookie, SESSION_COOKIE, setCookie } from '../sign-in/cookies.ts';
import { reach, type SignedIn, sessionOf } from '../sign-in/guard.ts';
import { toNpub } from '../sign-in/npub.ts';
import { csrfToken } from '../sign-in/secrets.ts';
import { endSession, listSessions } from '../sign-in/sessions.ts';

/** Registers the routes for the signed-in user and their sessions. */
export function registerAccount(app: FastifyInstance, context: AccountContext): void {
  app.get('/account', (request) =>
    showAccount(context, sessionOf(request), readCookie(request.headers.cookie, SESSION_COOKIE)),
  );

  app.patch('/account', async (request) => {
    const { messages } = readBody(request, AccountChange);
    const session = sessionOf(request);
    if (messages && context.nostrKey === '') throw new ServiceError('conflict', 'This service sends no messages');
    await chooseMessages(await context.registry(), session.pubkey, messages);
    return showAccount(context, session, readCookie(request.headers.cookie, SESSION_COOKIE));
  });

  app.post('/account/operator', async (request) => {
    if (!context.isLocal(request.raw)) throw new ServiceError('forbidden', NOT_HERE);
    const { code } = readBody(request, ClaimOperator);
    const session = sessionOf(request);
    await reach(() => context.console.claim(code, session.pubkey));
    const secret = readCookie(request.headers.cookie, SESSION_COOKIE);
    return showAccount(context, { ...session, isOperator: true }, secret);
  });

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

/** Registers the routes for the signed-in user's notices. */
export function registerNotices(app: FastifyInstance, { registry, clock }: AccountContext): void {
  app.get('/notices', async (request) => showNotices(await registry(), sessionOf(request).pubkey));

  app.post('/notices/read', async (request) => {
    const { until } = readBody(request, ReadNotices);
    await readNotices(await registry(), { pubkey: sessionOf(request).pubkey, until, now: clock.now() });
    return {};
  });
}

async function showNotices(db: Database, pubkey: string): Promise<Static<typeof NoticeList>> {
  const notices = await listNotices(db, pubkey);
  const own = new Set<string>();
  for (const clientId of new Set(notices.map((notice) => notice.clientId)))
    if (await isOwner(db, clientId, pubkey)) own.add(clientId);
  return {
    notices: notices.map(({ id, clientId, text, createdAt, readAt }) => {
      return { id, clientId: own.has(clientId) ? clientId : '', text, at: createdAt, isRead: readAt !== null };
    }),
  };
}

const NOT_HERE =
  'Only a browser on the machine of the service can do this. You can also run zoetrope operator add NPUB there';

export async function showAccount(
  { registry, clock, members }: AccountContext,
  { id, pubkey, isOperator }: SignedIn,
  secret: string,
): Promise<Static<typeof Account>> {
  const db = await registry();
  const sessions = await listSessions(db, pubkey, clock.now());
  return {
    pubkey,
    npub: await toNpub(pubkey),
    isOperator,
    isMember: members.pubkeys.has(pubkey),
    csrf: csrfToken(secret),
    sessions: sessions.map(({ pubkey: _, ...session }) => ({ ...session, current: session.id === id })),
    messages: await wantsMessages(db, pubkey),
    unread: await countUnread(db, pubkey),
  };
}
