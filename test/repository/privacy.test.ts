import fs from 'node:fs';
import { expect, test } from 'vitest';
import { openStore } from '../../packages/server/src/service/store.ts';
import { temporaryFolder } from '../support/server.ts';

/**
 * The words in `docs/privacy.md` that cover each table, or null for a table that holds nothing about people. If you add
 * a table, decide whether words or null applies.
 */
const SAID: Record<string, string | null> = {
  sessions: 'User-Agent of your browser',
  seen_events: 'ids of used events',
  clients: 'name, description, home page, contact',
  owners: "owners' public keys",
  origins: 'its origins and User-Agents',
  user_agents: 'its origins and User-Agents',
  keys: 'names of its API keys',
  requests: 'what waits for a review',
  origin_proofs: 'what your domain answered',
  rejections: 'what was refused',
  usage: 'the number of requests of your app',
  usage_by_way: 'and origin, key or User-Agent of the app',
  notices: 'notices about your app',
  notice_messages: 'that you want notices as direct messages',
  handovers: 'your request to take over an app',
  orders: 'orders of the registration fee',
  reservations: 'invoices that were requested',
  audit: 'the audit log',
  operators: 'public keys of operators',
  moves: "Operators' own decisions about GIFs",
  edits: "Operators' own decisions about GIFs",
  ratings: "Operators' own decisions about GIFs",
  reports: 'your contact',
  claims: 'what they say about the GIF',
  claim_urls: 'what they say about the GIF',
  claimed_gifs: 'what they say about the GIF',
  votes: 'likes',
  withdrawals: 'deletions',
  file_events: 'an event about a file (kind 1063) as you signed it',
  relay_lists: 'follow lists',
  author_servers: 'which Blossom servers the authors list',
  packs: 'public events that name GIFs',
  relay_usage: "number of each author's events",
  relay_events: 'public events that name GIFs',
  ignored_marks: 'content warnings',
  catalogues: 'public key of each service',
  addresses: 'URL of each linked GIF',
  links: 'URL of each linked GIF',
  uploads: 'for each of your files: its hash',
  used_authorisations: 'ids of your signed authorisations',
  client_limits: null,
  terms: null,
  challenges: null,
  challenge_keys: null,
  gifs: null,
  held_build: null,
  aliases: null,
  awaited: null,
  backups: null,
  catalogue_gifs: null,
  catalogue_parts: null,
  publications: null,
  blocked_files: null,
  blocked_pictures: null,
  catalog_state: null,
  changes: null,
  history: null,
  imports: null,
  jobs: null,
  nodes: null,
  paused_runs: null,
  known_builds: null,
  rating_counts: null,
  registry_state: null,
  relay_counts: null,
  relay_streams: null,
  relays: null,
  seen_pictures: null,
  sights: null,
  vector_states: null,
  vectors: null,
  wanted_build: null,
};

test('docs/privacy.md covers all stored data about people', async () => {
  using folder = temporaryFolder();
  const { db } = await openStore(folder.path);
  const tables = (await db.introspection.getTables()).map(({ name }) => name);
  await db.destroy();
  expect(tables.filter((table) => !(table in SAID))).toEqual([]);
  const text = fs.readFileSync('docs/privacy.md', 'utf8').replace(/\s+/g, ' ');
  for (const [table, said] of Object.entries(SAID)) if (said !== null) expect(text, table).toContain(said);
});
