import {
  AuditTrail,
  BackupList,
  BuildList,
  CataloguePage,
  FoundClients,
  GifExplanation,
  GifMoves,
  HandoverList,
  HealthReport,
  History,
  ImportDetails,
  ImportList,
  Languages,
  MemberList,
  ModeratedGif,
  ModerationQueue,
  OddOrders,
  Overview,
  ReviewQueue,
  SettingList,
  SharedCatalogues,
  Sources,
  Waiting,
} from '@zoetrope/contract/account';
import { finalizeEvent, generateSecretKey } from 'nostr-tools/pure';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { Browser } from '../../packages/server/src/account/testing/browser.ts';
import { FilledRelay } from '../../packages/server/src/platform/relay/testing/relay.ts';
import { writeFiles } from '../support/catalogues.ts';
import { prepareData } from '../support/prepared-data.ts';
import { freePort, type Server, startServer, temporaryFolder } from '../support/server.ts';

/* What a running service shows its operators. */

const SOON = { timeout: 480_000 };
const folder = temporaryFolder();
let relay: FilledRelay;
let server: Server;
let operator: Browser;
/** Id of the GIF that the operator hides. */
let id: string;

/** An event with the URL of a GIF that the service refuses to fetch. */
function announce() {
  const tags = ['url https://127.0.0.1/a.gif', 'm image/gif', `x ${'1'.repeat(64)}`].map((tag) => tag.split(' '));
  const now = Math.floor(Date.now() / 1_000);
  return finalizeEvent({ kind: 1063, created_at: now, content: 'cat', tags }, generateSecretKey());
}

beforeAll(async () => {
  await prepareData(inject('prepared'), folder.path, writeFiles);
  relay = await FilledRelay.start();
  relay.publish([announce()]);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  operator = new Browser(url, url);
  server = await startServer(`${folder.path}/data`, {
    ...{ ZOETROPE_PORT: `${port}`, ZOETROPE_EMBEDDER: 'none', ZOETROPE_RELAYS: relay.url },
    ...{ ZOETROPE_ADMINS: operator.pubkey, ZOETROPE_MEMBERS: operator.pubkey },
    ZOETROPE_BACKUPS: `${folder.path}/backups`,
  });
  const { version: termsVersion } = (await operator.ask('GET /site')).body.terms;
  expect((await operator.signIn({ now: Date.now() })).status).toBe(200);
  const wisp = { name: 'Wisp', description: '', homePage: '', contact: '', termsVersion };
  const { body: client } = await operator.ask('POST /clients', wisp);
  await operator.ask(`POST /clients/${client.id}/user-agents`, { pattern: 'WispApp/*' });
  ({ id } = (await operator.ask('GET /review/catalogue')).body.gifs[0]);
  expect((await operator.ask(`POST /review/gifs/${id}/moves`, { action: 'hide' })).status).toBe(200);
  expect((await operator.ask('POST /review/backups')).status).toBe(200);
});

afterAll(async () => {
  await server?.stop();
  await relay?.down();
  folder[Symbol.dispose]();
});

test.each([
  ['/review', ReviewQueue, 'items'],
  ['/review/audit', AuditTrail, 'entries'],
  ['/review/backups', BackupList, 'backups'],
  ['/review/builds', BuildList, 'builds'],
  ['/review/catalogue', CataloguePage, 'gifs'],
  ['/review/catalogue/why?q=harbour', GifExplanation, ''],
  ['/review/clients', FoundClients, 'clients'],
  ['/review/gifs?list=hidden', ModerationQueue, 'gifs'],
  ['/review/gifs/ID', ModeratedGif, 'moves'],
  ['/review/handovers', HandoverList, ''],
  ['/review/health', HealthReport, 'findings'],
  ['/review/history', History, 'points'],
  ['/review/imports', ImportList, 'imports'],
  ['/review/imports/1', ImportDetails, 'sources'],
  ['/review/languages', Languages, 'models'],
  ['/review/moves', GifMoves, 'moves'],
  ['/review/orders', OddOrders, ''],
  ['/review/overview', Overview, 'relays'],
  ['/review/settings', SettingList, 'settings'],
  ['/review/sources', Sources, 'files'],
  ['/review/sources/catalogues', SharedCatalogues, ''],
  ['/review/sources/members', MemberList, 'members'],
  ['/review/waiting', Waiting, ''],
] as const)('an operator gets a response from %s with all its fields', async (path, schema, list) => {
  const ask = () => operator.ask(`GET ${path.replace('ID', id)}`);
  if (list !== '') await expect.poll(async () => (await ask()).body[list], SOON).not.toEqual([]);
  const { status, body } = await ask();
  expect([status, ...Value.Errors(schema, body)]).toEqual([200]);
});

test('the overview shows the state of a relay, and how many of its events were added', async () => {
  const known = async () => (await operator.ask('GET /review/sources')).body.relays;
  const expected = { url: relay.url, state: 'connected', error: null, taken: 1 };
  await expect.poll(known, SOON).toMatchObject([expected]);
  expect((await operator.ask('GET /review/overview')).body.relays).toMatchObject([expected]);
});

test("an operator sees a hidden GIF's preview, which does not move if the page asks for a still", async () => {
  const cookie = [...operator.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const see = async (query: string) => {
    const response = await server.get(`/dashboard/api/review/gifs/${id}/picture${query}`, { cookie });
    const bytes = Buffer.from(await response.arrayBuffer());
    return [response.status, response.headers.get('content-type'), bytes.includes('ANMF')];
  };
  expect(await see('')).toEqual([200, 'image/webp', true]);
  expect(await see('?still')).toEqual([200, 'image/png', false]);
});
