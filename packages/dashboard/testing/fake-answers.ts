import type {
  AccountRoute,
  CatalogueGif,
  Client,
  ImportDetails,
  ModeratedGif,
  ModerationList,
  PendingRequest,
} from '@zoetrope/contract/account';
import { renderSVG } from 'uqr';
import { newClient, type State } from './fake-state.ts';

export interface Asked {
  state: State;
  path: Record<string, string>;
  query: URLSearchParams;
  body: Record<string, string>;
}

export class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

type Answer = (asked: Asked) => object;

function clientOf({ state, path }: Asked): Client {
  const client = state.clients.find(({ id }) => id === path['clientId']);
  if (client === undefined) throw new Refusal(404, 'not_found', 'There is no such client');
  return client;
}

function gifOf({ state, path }: Asked): ModeratedGif {
  const gif = state.gifs.find(({ id }) => id === path['gifId']);
  if (gif === undefined) throw new Refusal(404, 'not_found', 'No GIF has this id');
  return gif;
}

function without<Thing extends { id: string }>(things: Thing[], id: string | undefined): Thing[] {
  return things.filter((thing) => thing.id !== id);
}

function listOf({ state }: Asked): object {
  return { clients: state.clients, invitations: state.invitations, handovers: state.handovers };
}

/** Adds a pending request. */
function wait(asked: Asked, kind: PendingRequest['kind'], value: string): object {
  const client = clientOf(asked);
  const createdAt = Date.now();
  const proof =
    kind === 'origin' ? { proven: false, reason: 'its nostr.json has no name _', checkedAt: createdAt } : null;
  const request: PendingRequest = { id: asked.state.newId(), kind, value, createdAt, proof };
  client.requests = [...client.requests, request];
  asked.state.queue = [
    ...asked.state.queue,
    { ...request, clientId: client.id, clientName: client.name, homePage: client.homePage },
  ];
  return client;
}

/** Ends an order that waits for an operator. */
function decide({ state, path }: Asked, ended: 'paid' | 'refused'): object {
  const order = state.orders.find(({ id }) => id === path['orderId'])!;
  state.orders = without(state.orders, order.id);
  const client = state.clients.find(({ id }) => id === order.clientId);
  if (client !== undefined && ended === 'paid') client.state = 'approved';
  const invoice = state.invoices.get(order.clientId);
  if (invoice !== undefined) invoice.state = ended;
  return { orders: state.orders };
}

const DAY_MS = 86_400_000;

function makeKey(asked: Asked, name: string): object {
  const client = clientOf(asked);
  const id = asked.state.newId();
  const key = `zoe_${id}`;
  asked.state.secrets.add(key);
  const { days } = asked.body as { days?: number | null };
  const expiresAt = days ? Date.now() + days * DAY_MS : null;
  client.keys = [...client.keys, { id, name, createdAt: Date.now(), lastUsedAt: null, expiresAt }];
  return { id, name, key };
}

const invoices = {
  createInvoice(asked) {
    const { state, path } = asked;
    const client = clientOf(asked);
    if (state.isWalletAway) {
      throw new Refusal(503, 'fee_unavailable', 'The wallet cannot create an invoice right now; try again soon');
    }
    const bolt11 = `lnbcrt10u1${state.newId().replace('-', '')}`;
    const expiresAt = Date.now() + 900_000;
    const invoice = { id: state.newId(), clientId: client.id, sats: state.site.fee.sats, bolt11, expiresAt };
    const made = { ...invoice, qr: renderSVG(bolt11.toUpperCase()), state: 'open' as const, serverTime: Date.now() };
    state.invoices.set(path['clientId']!, made);
    return made;
  },
  invoice({ state, path }) {
    const invoice = state.invoices.get(path['clientId']!);
    if (invoice === undefined) throw new Refusal(404, 'not_found', 'There is no invoice');
    return { ...invoice, serverTime: Date.now() };
  },
} satisfies Partial<Record<AccountRoute, Answer>>;

const clients = {
  clients: listOf,
  createClient({ state, body }) {
    const { termsVersion, ...details } = body;
    if (termsVersion !== state.site.terms.version)
      throw new Refusal(409, 'conflict', 'The terms changed: read them again');
    const client = newClient(state, details);
    state.clients = [...state.clients, client];
    return client;
  },
  client: clientOf,
  changeClient: (asked) => Object.assign(clientOf(asked), asked.body),
  acceptTerms: (asked) =>
    Object.assign(clientOf(asked), { terms: { version: asked.body['termsVersion']!, acceptedAt: Date.now() } }),
  deleteClient(asked) {
    const { id } = clientOf(asked);
    asked.state.clients = without(asked.state.clients, id);
    return {};
  },
  requestHandover(asked) {
    const { state, body } = asked;
    const origin = body['origin']!;
    if (!origin.includes('proven')) {
      throw new Refusal(409, 'conflict', 'The domain does not prove the ownership: its nostr.json has no name _');
    }
    const client = { clientId: 'c', clientName: 'Wisp' };
    const { npub } = state.account!;
    state.handovers = [{ id: state.newId(), ...client, origin, npub, owners: [npub], createdAt: Date.now() }];
    return listOf(asked);
  },
  withdrawHandover(asked) {
    asked.state.handovers = without(asked.state.handovers, asked.path['handoverId']);
    return listOf(asked);
  },
  usage: ({ state }) => state.usage,
  addOrigin(asked) {
    const origin = asked.body['origin']!;
    const client = clientOf(asked);
    if (client.origins.some((own) => own.origin === origin)) {
      throw new Refusal(409, 'conflict', `origin ${origin} is already registered`);
    }
    if (!origin.includes('proven')) return wait(asked, 'origin', origin);
    const [createdAt, proof] = [Date.now(), { proven: true, reason: '', checkedAt: Date.now() }];
    client.origins = [...client.origins, { id: asked.state.newId(), origin, createdAt, proof }];
    return client;
  },
  removeOrigin(asked) {
    const client = clientOf(asked);
    client.origins = without(client.origins, asked.path['originId']);
    return client;
  },
  createKey: (asked) => makeKey(asked, asked.body['name']!),
  rotateKey(asked) {
    const old = clientOf(asked).keys.find(({ id }) => id === asked.path['keyId'])!;
    old.expiresAt = Date.now() + Number(asked.body['overlapDays']) * DAY_MS;
    return makeKey(asked, old.name);
  },
  revokeKey(asked) {
    const client = clientOf(asked);
    client.keys = without(client.keys, asked.path['keyId']);
    return client;
  },
  addUserAgent: (asked) => wait(asked, 'user-agent', asked.body['pattern']!),
  inviteOwner: (asked) => wait(asked, 'owner', asked.body['who']!),
  removeOwner(asked) {
    asked.state.clients = without(asked.state.clients, clientOf(asked).id);
    return {};
  },
  proveAgain: clientOf,
  withdrawRequest(asked) {
    const client = clientOf(asked);
    client.requests = without(client.requests, asked.path['requestId']);
    return client;
  },
  acceptInvitation(asked) {
    const { state, path } = asked;
    const { clientName } = state.invitations.find(({ id }) => id === path['requestId'])!;
    state.clients = [...state.clients, newClient(state, { name: clientName, state: 'approved' })];
    state.invitations = without(state.invitations, path['requestId']);
    return listOf(asked);
  },
  declineInvitation(asked) {
    asked.state.invitations = without(asked.state.invitations, asked.path['requestId']);
    return listOf(asked);
  },
} satisfies Partial<Record<AccountRoute, Answer>>;

function decideHandover({ state, path }: Asked): object {
  state.handovers = without(state.handovers, path['handoverId']);
  return { handovers: state.handovers };
}

const operators = {
  review: ({ state }) => ({ items: state.queue, doubtful: state.doubtful }),
  approve({ state, path }) {
    state.queue = without(state.queue, path['requestId']);
    return { items: state.queue, doubtful: state.doubtful };
  },
  reject({ state, path, body }) {
    const item = state.queue.find(({ id }) => id === path['requestId'])!;
    const client = state.clients.find(({ id }) => id === item.clientId)!;
    client.requests = without(client.requests, item.id);
    const { kind, value } = item;
    client.rejections = [...client.rejections, { kind, value, reason: body['reason']!, at: Date.now() }];
    state.queue = without(state.queue, item.id);
    return { items: state.queue, doubtful: state.doubtful };
  },
  findClients: ({ state, query }) => ({
    clients: state.clients
      .filter(({ name }) => name.includes(query.get('q') ?? ''))
      .map((client) => ({
        ...client,
        owners: client.owners.map(({ npub }) => npub),
        origins: client.origins.map(({ origin }) => origin),
        ...{ keys: client.keys.length, requests: 1_234 },
      })),
    next: '',
  }),
  handovers: ({ state }) => ({ handovers: state.handovers }),
  approveHandover: decideHandover,
  rejectHandover: decideHandover,
  reviewedClient: clientOf,
  suspend: (asked) => Object.assign(clientOf(asked), { state: 'suspended', suspendedBecause: asked.body['reason'] }),
  setLimit: (asked) => Object.assign(clientOf(asked), { searchesPerMinute: asked.body['searchesPerMinute'] }),
  letIn: (asked) => Object.assign(clientOf(asked), { state: 'approved', suspendedBecause: '' }),
  audit({ state, query }) {
    const { client = '', actor = '', action = '', before = '0' } = Object.fromEntries(query);
    const found = state.audit.filter(
      (entry) =>
        (client === '' || entry.clientId === client || entry.clientName === client) &&
        entry.actor.includes(actor) &&
        entry.action.includes(action) &&
        (before === '0' || entry.id < Number(before)),
    );
    return { entries: found.slice(0, 50), hasMore: found.length > 50 };
  },
  moderation: ({ state, query }) => ({
    reported: state.gifs.filter(({ reports }) => reports.length > 0).length,
    doubtful: state.gifs.filter(({ rating }) => rating === 'review').length,
    withheld: state.gifs.filter(({ rating, ratedBy }) => rating === 'adult' && ratedBy === 'model').length,
    uploaded: state.gifs.filter(({ inReview }) => inReview).length,
    gifs: state.gifs.filter(
      {
        reported: ({ reports }: ModeratedGif) => reports.length > 0,
        doubtful: ({ rating }: ModeratedGif) => rating === 'review',
        withheld: ({ rating, ratedBy }: ModeratedGif) => rating === 'adult' && ratedBy === 'model',
        uploaded: ({ inReview }: ModeratedGif) => inReview,
        hidden: ({ hidden }: ModeratedGif) => hidden,
      }[query.get('list') as ModerationList],
    ),
    next: '',
  }),
  moderatedGif: gifOf,
  moderate(asked) {
    const gif = gifOf(asked);
    const { action, reason = '' } = asked.body;
    const { lastMove } = asked.body as { lastMove?: number };
    if (lastMove !== undefined && (gif.moves[0]?.id ?? 0) > lastMove) {
      throw new Refusal(409, 'conflict', 'Somebody was first. Nothing was changed now');
    }
    if (action === 'hide') gif.hidden = true;
    gif.reports = [];
    const move = {
      id: Number(asked.state.newId().slice(3)),
      gifId: gif.id,
      action: action!,
      actor: asked.state.account!.npub,
    };
    gif.moves = [{ ...move, at: Date.now(), reason, changes: [], undone: false }, ...gif.moves];
    return gif;
  },
  moves: ({ state }) => ({
    moves: state.gifs.flatMap(({ moves, title }) => moves.map((move) => ({ ...move, title }))),
  }),
  undoMove: ({ state }) => state.gifs[0]!,
  oddOrders: ({ state }) => ({ orders: state.orders }),
  noteOrder({ state, path, body }) {
    Object.assign(state.orders.find(({ id }) => id === path['orderId'])!, body);
    return { orders: state.orders };
  },
  acceptOrder: (asked) => decide(asked, 'paid'),
  refuseOrder: (asked) => decide(asked, 'refused'),
} satisfies Partial<Record<AccountRoute, Answer>>;

function catalogueGifs({ gifs }: State): CatalogueGif[] {
  return gifs.map(({ id, title, tags, alt, source, width, height, hidden, rating, ratedBy, edited }) => ({
    ...{ id, title, tags, alt, source, width, height, rating, ratedBy, edited },
    ...{ format: 'gif', url: null, addedAt: null, waiting: false, markedAdult: false },
    hiddenBecause: hidden ? ['operator'] : [],
  }));
}

function importOf({ state, path }: Asked): ImportDetails {
  const found = state.imports.find(({ id }) => id === Number(path['importId']));
  if (found === undefined) throw new Refusal(404, 'not_found', 'There is no such import');
  return found;
}

const operatorsConsole = {
  waiting: ({ state: { gifs, queue, handovers } }) => {
    return { gifs: gifs.length, clients: queue.length, handovers: handovers.length };
  },
  overview: ({ state }) => state.overview,
  health: ({ state }) => state.health,
  history: ({ state }) => state.history,
  builds: ({ state }) => state.builds,
  holdBuild: ({ state, body }) => Object.assign(state.builds, { held: { build: body['build'], at: 0 } }),
  releaseBuild: ({ state }) => {
    state.overview = { ...state.overview, held: null };
    return Object.assign(state.builds, { held: null });
  },
  backups: ({ state }) => ({ backups: state.backups, ...state.backing }),
  makeBackup: ({ state }) => ({ backups: state.backups, ...state.backing }),
  settings: ({ state }) => state.settings,
  sources: ({ state }) => state.sources,
  sharedCatalogues: ({ state }) => state.sharedCatalogues,
  members: ({ state }) => state.members,
  languages: ({ state }) => state.languages,
  pullModel: ({ state }) => state.languages,
  removeModel: ({ state }) => state.languages,
  catalogue: ({ state }) => ({ gifs: catalogueGifs(state), next: '', maxFileBytes: 25_000_000 }),
  explainGif: ({ state, query }) => ({
    gifs: catalogueGifs(state).filter(({ id }) => id === query.get('q')),
    ...{ blocked: false, refusals: [], relay: null },
  }),
  imports: ({ state }) => ({ imports: state.imports, queue: { open: 0, oldestSeconds: null } }),
  import: importOf,
  pauseImport: (asked) => Object.assign(importOf(asked), { paused: true }),
  continueImport: (asked) => Object.assign(importOf(asked), { paused: false }),
} satisfies Partial<Record<AccountRoute, Answer>>;

/** Responses of the routes for a signed-in user. */
export const ANSWERS: Readonly<Partial<Record<AccountRoute, Answer>>> = {
  account: ({ state }) => state.account!,
  changeAccount({ state, body }) {
    state.account = { ...state.account!, messages: Boolean(body['messages']) };
    return state.account;
  },
  signOut({ state }) {
    state.account = null;
    return {};
  },
  claimOperator({ state, body }) {
    if (body['code'] !== state.operatorCode)
      throw new Refusal(400, 'validation', 'The code is wrong. 4 tries are left');
    state.site = { ...state.site, reviewed: true, claimable: false };
    state.account = { ...state.account!, isOperator: true };
    return state.account;
  },
  uploads: ({ state }) => state.uploads!,
  notices: ({ state }) => ({ notices: state.notices }),
  readNotices({ state, body }) {
    state.notices = state.notices.map((notice) => ({
      ...notice,
      isRead: notice.isRead || notice.at <= Number(body['until']),
    }));
    return {};
  },
  revokeSession({ state, path }) {
    state.account = { ...state.account!, sessions: without(state.account!.sessions, path['sessionId']) };
    return {};
  },
  ...clients,
  ...invoices,
  ...operators,
  ...operatorsConsole,
};
