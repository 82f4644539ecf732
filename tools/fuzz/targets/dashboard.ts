import { ACCOUNT_ROUTES, type AccountRoute } from '../../../packages/contract/src/account/index.ts';
import { Browser } from '../../../packages/server/src/account/testing/browser.ts';
import {
  PUBLIC_URL,
  startDashboard,
  TERMS_VERSION,
  type TestService,
} from '../../../packages/server/src/account/testing/service.ts';
import { recordGifs } from '../../../packages/server/src/catalog/index.ts';
import { recordReport } from '../../../packages/server/src/moderation/index.ts';
import { migrate, openDatabase } from '../../../packages/server/src/platform/db/index.ts';
import type { Resolve } from '../../../packages/server/src/platform/fetch/index.ts';
import type { GifRecord } from '../../../packages/server/src/records/index.ts';
import { DATA_MIGRATIONS } from '../../../packages/server/src/service/migrations.ts';
import { seeded } from '../../../packages/starter/src/random.ts';
import { changeJson, drawJson } from '../change-json.ts';
import { changeText } from '../change-text.ts';
import { changeOften, pick, type Random } from '../draw.ts';
import { type Checker, Fault } from '../target.ts';

const GIF = `${'a'.repeat(64)}.gif`;
const DETAILS = {
  name: 'Wisp',
  description: 'A client\nfor notes',
  homePage: 'https://wisp.example',
  contact: 'me@wisp.example',
};
const RECORD: GifRecord = {
  ...{ id: GIF, sha256: 'a'.repeat(64), verified: 'file', url: null, format: 'gif', width: 9, height: 9, frames: 2 },
  ...{ durationMs: 200, bytes: 99, lqip: null, title: 'happy', tags: ['joy'], characters: [], series: [], text: '' },
  ...{ alt: '', lang: '', adult: false, popularity: 0, source: 'folder', fallback: [], toldBy: 'folder' },
};

/** A request to the dashboard's API. */
interface Visit {
  route: AccountRoute;
  /** Parts of the path that are not the expected ids. */
  params: Readonly<Record<string, string>>;
  query: string;
  body: string;
  /** The seed for changing the event of a sign-in. If it is empty, the event is correct. */
  eventSeed: string;
}

export async function openDashboard(): Promise<Checker<Visit>> {
  let desk = await openDesk();
  return {
    draw: drawVisit,
    check: (visit, number) => desk.visit(visit, number),
    async refresh() {
      await desk.close();
      desk = await openDesk();
    },
  };
}

interface Desk {
  visit(visit: Visit, number: number): Promise<string>;
  close(): Promise<void>;
}

/** Starts the dashboard on new databases, so that an input does not depend on many earlier inputs. */
async function openDesk(): Promise<Desk> {
  const [registry, catalogue] = [openDatabase(':memory:'), openDatabase(':memory:')];
  await migrate(catalogue, DATA_MIGRATIONS);
  await recordGifs(catalogue, [RECORD]);
  const report = { gif: GIF, reason: 'other', message: 'mine', contact: '', reporter: 'form', at: 1 } as const;
  await recordReport(catalogue, { id: 'report', ...report });
  const admins = new Set<string>();
  // No name resolves, so that no request leaves this machine.
  const resolve = ((_: string, __: object, done: (error: null, found: []) => void) =>
    done(null, [])) as unknown as Resolve;
  const service = await startDashboard(registry, { admins, catalogue: async () => catalogue, proof: { resolve } });
  return {
    async visit(visit, number) {
      const browser = new Browser(service.url, PUBLIC_URL);
      admins.add(browser.pubkey);
      return visit.route === 'login' ? signIn(browser, visit) : act(browser, visit, await prepare(browser, number));
    },
    close: () => close(service, registry, catalogue),
  };
}

async function close(service: TestService, ...databases: { destroy(): Promise<void> }[]): Promise<void> {
  await service.stop();
  await Promise.all(databases.map((db) => db.destroy()));
}

/** Signs in, registers a client and takes an action. @returns the ids that paths need, keyed by parameter name */
async function prepare(browser: Browser, number: number): Promise<Record<string, string>> {
  must(await browser.signIn());
  const { id: clientId, owners } = must(
    await browser.ask('POST /clients', { ...DETAILS, termsVersion: TERMS_VERSION }),
  );
  const { id: keyId } = must(await browser.ask(`POST /clients/${clientId}/keys`, { name: 'phone' }));
  const pattern = `WispApp${number}/*`;
  const { requests } = must(await browser.ask(`POST /clients/${clientId}/user-agents`, { pattern }));
  return {
    clientId,
    keyId,
    requestId: requests[0].id,
    ownerId: owners[0].id,
    gifId: GIF,
    moveId: '1',
    orderId: 'order',
  };
}

type Answer = Awaited<ReturnType<Browser['ask']>>;

function must({ status, body }: Answer): Answer['body'] {
  if (status !== 200) throw new Fault(`a correct request got ${status}: ${JSON.stringify(body)}`);
  return body;
}

async function act(
  browser: Browser,
  { route, params, query, body }: Visit,
  ids: Record<string, string>,
): Promise<string> {
  const path = ACCOUNT_ROUTES[route].replace(/:(\w+)/g, (_, name: string) => {
    return encodeURIComponent((params[name] ?? ids[name] ?? 'unknown').toWellFormed());
  });
  return outcomeOf(route, await browser.ask(path + query, body));
}

async function signIn(browser: Browser, { body, eventSeed }: Visit): Promise<string> {
  const challenge = must(await browser.ask('POST /auth/challenge'));
  const random = seeded(eventSeed);
  const change = (event: unknown) => (eventSeed === '' ? event : (changeOften(random, event, changeJson) ?? null));
  const [route, correct, headers] = browser.sign(challenge, { event: change });
  return outcomeOf('login', await browser.ask(route, body === '' ? correct : body, headers));
}

function outcomeOf(route: AccountRoute, { status, body }: Answer): string {
  const code = String(body?.error?.code ?? '');
  if (status === 503 && code !== '') return `503 ${code}`;
  if (status >= 500) throw new Fault(`${status} to ${route}: ${JSON.stringify(body)}`);
  return String(status);
}

/** Correct bodies of the routes that have one. */
const BODIES: Partial<Record<AccountRoute, readonly object[]>> = {
  createClient: [{ ...DETAILS, termsVersion: TERMS_VERSION }],
  changeClient: [DETAILS],
  acceptTerms: [{ termsVersion: TERMS_VERSION }],
  deleteClient: [{ name: DETAILS.name }],
  addOrigin: [{ origin: 'https://wisp.example' }, { origin: 'https://*.wisp.example:8443' }],
  createKey: [{ name: 'laptop' }],
  addUserAgent: [{ pattern: 'Wisp/*' }, { pattern: 'okhttp-Wisp/1.0 *' }],
  inviteOwner: [{ who: 'bob@wisp.example' }, { who: 'ab'.repeat(32) }],
  reject: [{ reason: 'It is unknown' }],
  suspend: [{ reason: 'It sends\ntoo much' }],
  noteOrder: [{ note: 'paid back' }],
  moderate: [
    { action: 'edit', title: 'glad', tags: ['joy', 'smile'], alt: 'somebody smiles' },
    ...['hide', 'show', 'block', 'unblock', 'adult', 'safe', 'dismiss', 'unedit'].map((action) => ({ action })),
  ],
};

/** Correct query strings of the routes that have one. */
const QUERIES: Partial<Record<AccountRoute, string>> = {
  findClients: '?q=Wisp',
  audit: '?client=Wisp&action=create&actor=npub1&before=10',
  moderation: `?list=doubtful&after=${GIF}`,
  moves: '?before=3',
};

const ROUTES = Object.keys(ACCOUNT_ROUTES) as AccountRoute[];
/** Routes with a body or a query string are drawn more often. */
const DRAWN = [
  ...ROUTES,
  ...ROUTES.filter((route) => route in BODIES || route in QUERIES),
  'login',
  'moderate',
] as AccountRoute[];

function drawVisit(random: Random): Visit {
  const route = pick(random, DRAWN);
  const names = Array.from(ACCOUNT_ROUTES[route].matchAll(/:(\w+)/g), ([, name]) => name!);
  const changed = names
    .filter(() => random() < 0.2)
    .map((name) => [name, changeText(random, pick(random, [GIF, '1', '']))]);
  const query = QUERIES[route] ?? '';
  return {
    route,
    params: Object.fromEntries(changed) as Record<string, string>,
    query: query === '' || random() < 0.2 ? query : asQuery(changeOften(random, query, changeText)),
    body: route === 'login' && random() < 0.7 ? '' : drawJson(random, pick(random, BODIES[route] ?? [{}])),
    eventSeed: random() < 0.2 ? '' : String(random()),
  };
}

/** Escapes the characters that `fetch` would not send. */
function asQuery(text: string): string {
  return `?${text.toWellFormed().replace(/[^\x21-\x7e]|#/gu, encodeURIComponent)}`;
}
