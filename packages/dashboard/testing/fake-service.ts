import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { ACCOUNT_BASE, ACCOUNT_ROUTES, type AccountRoute } from '@zoetrope/contract/account';
import { verifyEvent } from 'nostr-tools/pure';
import { ANSWERS, type Asked, Refusal } from './fake-answers.ts';
import { emptyState, type State } from './fake-state.ts';

/** An in-memory service for the dashboard: its files, and the API of the contract. */
export interface FakeService {
  url: string;
  state: State;
  /** Events of sign-in attempts. */
  logins: Array<{ pubkey: string; kind: number }>;
  stop(): Promise<void>;
}

const FILES = path.join(import.meta.dirname, '..', 'dist');
const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css' };
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; " +
  "connect-src 'self' wss:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** @param relays where signers meet the page */
export async function startFakeService(relays: string[] = []): Promise<FakeService> {
  const server = http.createServer((request, response) => {
    answer(request, response).catch((error) => response.writeHead(500).end(String(error)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const state = emptyState(url, relays);
  const logins: FakeService['logins'] = [];

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url!, url);
    const body = Buffer.concat(await request.toArray()).toString();
    if (pathname.startsWith('/api/v1/')) return answerSearch(request, response);
    if (!pathname.startsWith(`${ACCOUNT_BASE}/`)) return sendFile(pathname, response);
    const found = findRoute(`${request.method}`, pathname.slice(ACCOUNT_BASE.length));
    if (found === null) return send(response, 404, { error: { code: 'not_found', message: 'no such route' } });
    try {
      const asked = { state, path: found.path, query: searchParams, body: body === '' ? {} : JSON.parse(body) };
      send(response, 200, answerAccount(found.route, asked, { request, response, body }));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      send(response, error.status, { error: { code: error.code, message: error.message } });
    }
  }

  function answerAccount(route: AccountRoute, asked: Asked, came: Came): object {
    if (route === 'challenge') return makeChallenge();
    if (route === 'login') return login(came);
    if (route === 'site') return state.site;
    if (!/__Host-sid=in/.test(came.request.headers.cookie ?? '') || state.account === null) {
      throw new Refusal(401, 'not_signed_in', 'Sign in first: there is no session');
    }
    if (came.request.method !== 'GET' && came.request.headers['x-csrf-token'] !== state.account.csrf) {
      throw new Refusal(403, 'forbidden', 'X-CSRF-Token must be the token of the session');
    }
    return ANSWERS[route]!(asked);
  }

  function makeChallenge(): object {
    state.challenge = randomBytes(32).toString('hex');
    const u = `${url}${ACCOUNT_BASE}/auth/login`;
    return { challenge: state.challenge, u, method: 'POST', expiresAt: Date.now() + 300_000 };
  }

  /** Checks the signed event, but not for replays. */
  function login({ request, response, body }: Came): object {
    const event = JSON.parse(Buffer.from(request.headers.authorization!.slice('Nostr '.length), 'base64').toString());
    logins.push(event);
    const payload = createHash('sha256').update(body).digest('hex');
    const tags = [
      ['u', `${url}${ACCOUNT_BASE}/auth/login`],
      ['method', 'POST'],
      ['payload', payload],
    ];
    const isRight =
      event.kind === 27_235 && event.content === '' && JSON.stringify(event.tags) === JSON.stringify(tags);
    if (!isRight || !verifyEvent(event) || JSON.parse(body).challenge !== state.challenge) {
      throw new Refusal(401, 'login_refused', 'bad_sig: the event is wrong');
    }
    response.setHeader('set-cookie', '__Host-sid=in; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=604800');
    state.signIn(event.pubkey);
    return state.account!;
  }

  function answerSearch({ headers }: IncomingMessage, response: ServerResponse): void {
    const isKnown = state.secrets.has(headers.authorization?.slice('Bearer '.length) ?? '');
    if (isKnown) send(response, 200, { count: 2, items: [{ title: 'gm cat' }, { title: 'gm sun' }] });
    else send(response, 403, { error: { code: 'client_not_registered', message: 'Nobody we know' } });
  }

  return {
    url,
    state,
    logins,
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

interface Came {
  request: IncomingMessage;
  response: ServerResponse;
  body: string;
}

function findRoute(method: string, asked: string): { route: AccountRoute; path: Record<string, string> } | null {
  for (const [route, template] of Object.entries(ACCOUNT_ROUTES)) {
    const [verb, pattern] = template.split(' ') as [string, string];
    const match = new RegExp(`^${pattern.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`).exec(asked);
    if (verb === method && match) return { route: route as AccountRoute, path: { ...match.groups } };
  }
  return null;
}

/** Files of the service that are not part of the dashboard. */
const OF_SERVICE: Readonly<Record<string, string>> = {
  '/tokens.css': 'css/tokens.css',
  '/theme.js': 'scripts/theme.js',
};

function fileOf(pathname: string): string {
  const ofService = OF_SERVICE[pathname];
  if (ofService !== undefined) return path.join(import.meta.dirname, '../../server/src/http/page', ofService);
  const asset = /^\/dashboard\/assets\/([\w.-]+)$/.exec(pathname)?.[1];
  return path.join(FILES, asset === undefined ? 'index.html' : `assets/${asset}`);
}

function sendFile(pathname: string, response: ServerResponse): void {
  const file = fileOf(pathname);
  const type = TYPES[path.extname(file)] ?? 'text/html';
  response.writeHead(200, { 'content-type': type, 'content-security-policy': POLICY }).end(fs.readFileSync(file));
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
