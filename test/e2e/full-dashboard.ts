import { newClient, type State } from '../../packages/dashboard/testing/fake-state.ts';
import type { Window } from './dashboard.ts';

/** Adds one of everything that the dashboard shows. */
export function fill({ service: { state } }: Window) {
  const at = Date.now();
  const proof = { proven: false, reason: 'https://walker.example: its server redirects', checkedAt: at };
  const walker = newClient(state, {
    name: 'Walker',
    state: 'approved',
    origins: [
      { id: 'o', origin: `https://${'long-name.'.repeat(12)}example`, createdAt: at, proof },
      { id: 'q', origin: 'https://proven.example', createdAt: at, proof: { ...proof, proven: true } },
    ],
    userAgents: [{ id: 'u', pattern: 'Walker/* (Android)', createdAt: at }],
    requests: [
      {
        id: 'r',
        kind: 'origin',
        value: 'https://other.example',
        createdAt: at,
        proof: { proven: false, reason: 'its nostr.json has no name _', checkedAt: at },
      },
      { id: 's', kind: 'owner', value: state.account!.npub, createdAt: at, proof: null },
    ],
    rejections: [{ kind: 'user-agent', value: 'Mozilla/*', reason: 'too broad', at }],
  });
  const suspended = newClient(state, { name: 'Bad', state: 'suspended', suspendedBecause: 'floods us '.repeat(10) });
  state.clients = [walker, newClient(state, { name: 'Unpaid' }), suspended];
  state.invitations = [{ id: 'i', clientId: 'x', clientName: 'Wanted', createdAt: at }];
  const asked = { createdAt: at, proof: null, clientId: walker.id, clientName: 'Walker' };
  state.queue = [{ id: 'one', kind: 'user-agent', value: 'Walker/*', homePage: 'https://walker.example/', ...asked }];
  state.doubtful = [
    { origin: 'https://gone.example', clientId: walker.id, clientName: 'Walker', reason: proof.reason, checkedAt: at },
  ];
  const order = { sats: 1000, provider: 'lnbits', expiresAt: at, note: '' };
  state.orders = [
    { ...order, id: 'unproven', clientId: walker.id, state: 'unproven', paidAt: at },
    { ...order, id: 'unchecked', clientId: walker.id, state: 'unchecked', paidAt: null },
    { ...order, id: 'odd', clientId: 'gone', state: 'orphan', paidAt: at },
  ];
  const entry = { at, actor: state.account!.npub, action: 'client approve', subject: `https://${'long-'.repeat(30)}` };
  state.audit = [
    { id: 2, clientId: walker.id, clientName: 'Walker', ...entry },
    { id: 1, clientId: 'gone', clientName: '', ...entry },
  ];
  const long = 'unbroken'.repeat(40);
  fillConsole(state, at, long);
  state.gifs = [
    {
      ...{ id: 'long.gif', title: long, tags: [long], alt: long, source: 'nostr', width: 4_000, height: 40 },
      ...{ hidden: true, inReview: false, blocked: true, rating: 'review', ratedBy: 'model', edited: true },
      reports: [{ id: 'r', reason: 'copyright', message: long, contact: long, reporter: long, at, more: 3 }],
      moves: [
        {
          ...{ id: 1, gifId: 'long.gif', action: 'hide', actor: entry.actor, at, reason: '', undone: false },
          changes: [{ what: 'hidden', before: 'no', after: long }],
        },
      ],
    },
  ];
  return walker;
}

/** Adds one of everything that the operators' pages about the service show. */
function fillConsole(state: State, at: number, long: string): void {
  state.overview = {
    gifs: { found: 1_234_567, catalogue: 1_234_600, toReview: 33 },
    build: long,
    held: { build: 'b123456789abc', at },
    jobs: { open: 12, oldestSeconds: 5_000 },
    clients: { approved: 30, others: 4 },
    ...{ freeBytes: 123_456_789_012, embedder: 'down', search: 'away', growing: true },
    nodes: [{ machine: 'attic', role: 'serve', build: long, behind: 3, claims: 0 }],
    stranded: [{ machine: 'cellar', open: 9 }],
    backups: { lastAt: 1, problem: '' },
    relays: [
      { url: `wss://${long}.example`, state: 'waiting', error: 'closed the connection', changedAt: at, taken: 7 },
    ],
  };
  const found = { message: `run zoetrope work. ${long}`, items: [long] };
  state.health = {
    checking: true,
    checkedAt: at,
    findings: [
      { check: 'settings', state: 'well', message: 'all are valid', items: [] },
      { check: 'work', state: 'note', ...found },
      { check: 'build', state: 'wrong', ...found },
    ],
    disk: { media: 5e9, builds: 2e8, starter: 1e6, models: 3e7, others: 12 },
  };
  const counts = { paused: false, added: 3, known: 4, linked: 5, machine: '', startedAt: at };
  state.imports = [
    { id: 2, sources: ['/srv/gifs'], ...counts, endedAt: null, refused: 0, open: 12, retryable: false, refusals: [] },
    {
      ...{ id: 1, sources: [`/srv/${long}`, 'starter'], ...counts, endedAt: at + 3_000, refused: 1, open: 0 },
      ...{ retryable: true, refusals: [{ key: `/srv/${long}.gif`, reason: 'broken', message: long }] },
    },
  ];
  const relay = {
    state: 'waiting',
    error: long,
    changedAt: at,
    taken: 1_234,
    skipped: [{ reason: 'quota', events: 5 }],
  };
  const streams = [{ stream: 'files', head: 1_790_000_000, gaps: [{ since: 1, until: 2 }] }];
  const member = { npub: state.account!.npub, files: 12, bytes: 34_567_890, uploads: 1_234 };
  state.members = { ...state.members, members: [member] };
  state.sharedCatalogues = {
    publishing: true,
    published: {
      key: state.account!.npub,
      generation: 7,
      gifs: 1_234,
      parts: 2,
      bytes: 9,
      writtenAt: at,
      isCurrent: true,
    },
    followed: (['read', 'failed'] as const).map((name) => ({
      ...{
        url: `https://${name}.example`,
        key: state.account!.npub,
        state: name,
        error: name === 'failed' ? long : null,
      },
      ...{ generation: 3, gifs: 1_000, taken: 900, known: 100, checkedAt: at, readAt: at },
    })),
  };
  state.sources = {
    relays: [
      { url: `wss://${long}.example`, from: 'added', ...relay, streams },
      { url: 'wss://set.example', from: 'settings', ...relay, streams: [] },
      { url: 'wss://former.example', from: 'none', ...relay, streams: [] },
    ],
    files: [{ state: 'refused', reason: 'too-large', urls: 9 }],
    follower: 'attic',
    quotas: state.sources.quotas,
    marks: [
      { subject: 'a'.repeat(64), gifs: 4, ignored: false },
      { subject: `${'b'.repeat(64)}.gif`, gifs: 0, ignored: true },
    ],
  };
  const backup = { at, machine: 'attic', folder: `/${long}`, gifs: 1_234_567, bytes: 5e11, milliseconds: 5_000_000 };
  state.backups = [
    { ...backup, made: false, problem: long },
    { ...backup, made: true, problem: '3 damaged files were not copied' },
    { ...backup, made: true, problem: '' },
  ];
  state.backing = {
    folder: `/${long}`,
    running: { subject: `/${long}/2026-01-31`, startedAt: at, phase: 'originals', done: 12, total: 1_234_567 },
  };
  const build = {
    ...{ revision: 9, behind: 1_234, gifs: 1_234_567, bytes: 5e9, writtenAt: at },
    servedBy: ['attic', long],
  };
  state.builds = {
    builds: [
      { build: 'b0123456789ab', earlier: ['b123456789abc'], isCurrent: true, ...build },
      { build: 'b123456789abc', earlier: [], isCurrent: false, ...build, servedBy: [] },
    ],
    ...{ others: [{ machine: 'cellar', build: 'b23456789abcd' }], isInCluster: false },
    held: { build: 'b123456789abc', at },
  };
  const searches = { searches: 1_234_567, cached: 1_000_000, degraded: 12, refused: 4_567, failed: 3 };
  state.history = {
    ...{ seconds: 300, from: 0, to: 1_200_000 },
    points: [0, 300_000, 1_200_000].map((at) => ({ at, ...searches, p50: 0.4, p99: 250, gifs: 9, openJobs: 12_345 })),
  };
  const model = { language: null, repository: long, licence: 'MIT', dimensions: 384, maxBytes: 175_000_000 };
  state.languages = {
    embedder: { provider: 'onnx', model: long },
    models: [
      { name: long, ...model, pulled: true, inUse: true },
      { name: 'other', ...model, pulled: false, inUse: false },
    ],
    dictionaries: [{ name: 'deu-eng', language: 'de', title: long, licence: long, terms: 1_234, bytes: 5_000 }],
    pulling: { subject: 'third', startedAt: at, phase: 'model', done: 12, total: 175 },
    problem: long,
  };
  const setting = {
    table: 'service',
    name: 'data',
    default: './data',
    values: 'a string',
    description: 'Folder for all data',
  };
  state.settings = {
    settings: [{ variable: 'ZOETROPE_DATA', value: `/${long}`, source: 'variable', ...setting }],
    file: 'zoetrope.toml',
  };
}
