import { ACCOUNT_BASE, ACCOUNT_ROUTES } from '@zoetrope/contract/account';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServiceError } from '../../base/errors.ts';
import { type ReserveUse, withReserve } from '../../platform/db/index.ts';
import type { AccountContext, Budget } from '../context.ts';
import { readCookie, SESSION_COOKIE } from './cookies.ts';
import { isOperator } from './operators.ts';
import { csrfToken, isSameText } from './secrets.ts';
import { findSession, type Session } from './sessions.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The session, on routes that require a session. */
    session: SignedIn | null;
  }
  interface FastifyContextConfig {
    /** Whether the body is a file rather than JSON. */
    takesFile?: boolean;
  }
}

/** A session, with the rights that its user has at the time of the request. */
export interface SignedIn extends Session {
  isOperator: boolean;
}

/** Seconds after which callers should retry while the registry is down. */
const RETRY_AFTER_S = 10;

/**
 * Rejects requests that do not come from pages of this origin, for example requests from forms, from pages of a
 * subdomain, or from links on other sites. The origin is taken from the configured URL, not from the Host header.
 */
export function refuseForeign(app: FastifyInstance, { publicUrl }: Pick<AccountContext, 'publicUrl'>): void {
  const { origin } = new URL(publicUrl);
  app.addHook('onRequest', async ({ method, headers, routeOptions }) => {
    const site = headers['sec-fetch-site'];
    if (method === 'GET' || method === 'HEAD') {
      if (site !== undefined && site !== 'same-origin' && site !== 'none') throw foreign(origin);
      return;
    }
    if (headers.origin !== origin || (site !== undefined && site !== 'same-origin')) throw foreign(origin);
    requireType(headers['content-type'] ?? '', routeOptions.config.takesFile ?? false);
  });
}

/** Requires JSON or, for files, a binary body. Forms on other sites can send neither content type. */
function requireType(given: string, takesFile: boolean): void {
  const type = takesFile ? 'application/octet-stream' : 'application/json';
  if (given.split(';')[0]!.trim().toLowerCase() === type) return;
  const what = takesFile ? 'a file' : 'JSON';
  throw new ServiceError('unsupported_media_type', `The body must be ${what}, with Content-Type: ${type}`);
}

function foreign(origin: string): ServiceError {
  return new ServiceError('forbidden', `Only pages of ${origin} (ZOETROPE_PUBLIC_URL) may send this request`);
}

/** Requires a session and its CSRF token. Sets `request.session`. */
export function requireSession(app: FastifyInstance, context: AccountContext): void {
  const { registry, clock } = context;
  app.addHook('onRequest', async (request) => {
    const secret = readCookie(request.headers.cookie, SESSION_COOKIE);
    request.session = await reach(async () => {
      const session = await findSession(await registry(), secret, clock.now());
      return session && { ...session, isOperator: await isOperator(context, session.pubkey) };
    });
    if (request.session === null) throw new ServiceError('not_signed_in', 'Sign in first: there is no session');
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead && !isSameText(String(request.headers['x-csrf-token'] ?? ''), csrfToken(secret))) {
      throw new ServiceError('forbidden', 'X-CSRF-Token must be the token of the session');
    }
    if (!isRead) spendChange(context, request, request.session);
  });
  app.addHook('preHandler', (request, _, done) => {
    const use = reserveUse(request);
    if (use === undefined) done();
    else withReserve(use, done);
  });
}

/**
 * Returns the purpose for which a request is allowed to use the reserved disk space, or undefined if the request must
 * not use this space.
 */
function reserveUse(request: FastifyRequest): ReserveUse | undefined {
  if (sessionOf(request).isOperator) return HIDING.test(request.url) ? 'hide' : 'operator';
  return isSignOut(request) ? 'sign-out' : undefined;
}

const [, SIGN_OUT] = ACCOUNT_ROUTES.signOut.split(' ');
/** Paths with which operators hide GIFs and undo this action. */
const HIDING = new RegExp(`^${ACCOUNT_BASE}/review/(gifs|moves)/`);

function isSignOut({ url }: FastifyRequest): boolean {
  return url === `${ACCOUNT_BASE}${SIGN_OUT}`;
}

/**
 * Counts a change against its limits. Changes by operators and sign-outs are not counted.
 * @throws ServiceError `rate_limited`
 */
function spendChange(context: AccountContext, request: FastifyRequest, { pubkey, ...session }: SignedIn): void {
  if (session.isOperator || isSignOut(request)) return;
  spend(context, 'change', pubkey);
  spend(context, 'changes-of-address', context.addressOf(request.raw));
}

/** Returns the session of a request whose route requires a session. */
export function sessionOf({ session }: FastifyRequest): SignedIn {
  if (session === null) throw new Error('this route has no session, because it does not use requireSession');
  return session;
}

/** Runs something that needs the registry's database. @throws ServiceError `registry_unavailable` */
export async function reach<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause;
    const message = 'The client registry is unavailable right now; try again soon';
    throw new ServiceError('registry_unavailable', message, { cause, retryAfter: RETRY_AFTER_S });
  }
}

/** @throws ServiceError `rate_limited` */
export function spend({ limit }: Pick<AccountContext, 'limit'>, budget: Budget, who: string): void {
  const verdict = limit(budget, who);
  if (verdict === undefined || verdict.allowed) return;
  const { rule, retryAfterSeconds: retryAfter } = verdict;
  const message = `More than ${rule.quota} attempts (${rule.name}) in ${rule.windowSeconds} s; try again in ${retryAfter} s`;
  throw new ServiceError('rate_limited', message, { retryAfter });
}
