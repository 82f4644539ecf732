import type {
  Account,
  AuditTrail,
  BackupList,
  BuildList,
  Client,
  Handover,
  HealthReport,
  History,
  ImportDetails,
  Invitation,
  Invoice,
  Languages,
  MemberList,
  MemberUploads,
  ModeratedGif,
  Notice,
  OddOrders,
  Overview,
  ReviewItem,
  ReviewQueue,
  SettingList,
  SharedCatalogues,
  Site,
  Sources,
  Usage,
  UsageDay,
} from '@zoetrope/contract/account';
import { npubEncode } from 'nostr-tools/nip19';

/** The state of the service, which tests change. */
export interface State {
  site: Site;
  account: Account | null;
  challenge: string;
  clients: Client[];
  invitations: Invitation[];
  handovers: Handover[];
  /** The latest first. */
  notices: Notice[];
  /** By client. */
  invoices: Map<string, Invoice>;
  /** Of every client. */
  usage: Usage;
  /** Whether no invoice can be created. */
  isWalletAway: boolean;
  queue: ReviewItem[];
  doubtful: ReviewQueue['doubtful'];
  orders: OddOrders['orders'];
  gifs: ModeratedGif[];
  imports: ImportDetails[];
  overview: Overview;
  health: HealthReport;
  history: History;
  builds: BuildList;
  /** The latest first. */
  backups: BackupList['backups'];
  /** The folder of backups, and the backup that is being made. */
  backing: Omit<BackupList, 'backups'>;
  settings: SettingList;
  sources: Sources;
  sharedCatalogues: SharedCatalogues;
  members: MemberList;
  languages: Languages;
  /** The latest first. */
  audit: AuditTrail['entries'];
  /** Keys that the API knows. */
  secrets: Set<string>;
  isOperator: boolean;
  /** Null if the person who signs in is no member. */
  uploads: MemberUploads | null;
  /** The code with which the user becomes the first operator. */
  operatorCode: string;
  signIn(pubkey: string): void;
  newId(): string;
}

const FEE_SATS = 1000;
const DAY_MS = 86_400_000;
/** The latest day first, as the service lists them. */
const USAGE: UsageDay[] = Array.from({ length: 10 }, (_, n) => {
  const day = new Date(Date.UTC(2026, 0, 10) - n * DAY_MS).toISOString().slice(0, 10);
  const requests = 100 * (1 + (((9 - n) * 7) % 5));
  return [
    { day, operation: 'search' as const, requests, kept: requests / 2, refused: 0, limited: 2 },
    { day, operation: 'suggest' as const, requests: requests / 2, kept: 10, refused: 1, limited: 0 },
  ];
}).flat();

/** Half of the searches came from a page, which has been removed since. */
const WAYS: Usage['ways'] = USAGE.filter(({ operation }) => operation === 'search').map((day) => ({
  ...{ ...day, requests: day.requests / 2, kept: 0, limited: 1 },
  ...{ wayId: 'former', kind: 'origin', name: 'https://former.example' },
}));

/** The models and dictionaries of an empty service. */
const LANGUAGES: Languages = {
  embedder: { provider: 'bundled', model: '' },
  ...{ models: [], dictionaries: [], pulling: null, problem: '' },
};

/** The overview of an empty service. */
const OVERVIEW: Overview = {
  gifs: { found: 0, catalogue: 0, toReview: 0 },
  build: null,
  held: null,
  jobs: { open: 0, oldestSeconds: null },
  clients: { approved: 0, others: 0 },
  freeBytes: 0,
  embedder: 'none',
  search: 'ok',
  growing: false,
  nodes: [],
  stranded: [],
  relays: [],
  backups: { lastAt: null, problem: '' },
};

const NOBODY: MemberList = { members: [], quota: { files: 50, bytes: 200_000_000 } };

export function emptyState(url: string, relays: string[]): State {
  let ids = 0;
  return {
    site: {
      apiBase: url,
      operator: { name: 'Example Operator', url: 'https://operator.example/' },
      attribution: 'GIFs from Example Operator',
      terms: { version: '1', text: ['The client shows the attribution line.', 'The fee is not refunded.'] },
      fee: { sats: FEE_SATS, provider: 'fake' },
      relays,
      messenger: '',
      cached: false,
      reviewed: true,
      claimable: false,
    },
    account: null,
    challenge: '',
    clients: [],
    invitations: [],
    handovers: [],
    notices: [],
    invoices: new Map(),
    usage: { days: USAGE, ways: WAYS },
    isWalletAway: false,
    queue: [],
    doubtful: [],
    orders: [],
    gifs: [],
    imports: [],
    overview: OVERVIEW,
    health: {
      checking: false,
      checkedAt: 0,
      findings: [],
      disk: { media: 0, builds: 0, starter: 0, models: 0, others: 0 },
    },
    backups: [],
    backing: { folder: '', running: null },
    builds: { builds: [], others: [], isInCluster: false, held: null },
    history: { seconds: 300, from: 0, to: 0, points: [] },
    settings: { settings: [], file: '' },
    sources: {
      ...{ relays: [], files: [], follower: null, marks: [] },
      quotas: { authorEvents: 1_000, relayEvents: 200_000, hostFiles: 20_000, bytes: 20_000_000_000 },
    },
    ...{ sharedCatalogues: { publishing: false, published: null, followed: [] }, members: NOBODY },
    languages: LANGUAGES,
    audit: [],
    secrets: new Set(),
    ...{ isOperator: false, uploads: null },
    operatorCode: '482913',
    signIn(pubkey) {
      const now = Date.now();
      const session = { createdAt: now - 60_000, lastSeenAt: now };
      this.account = {
        pubkey,
        npub: npubEncode(pubkey),
        ...{ isOperator: this.isOperator, isMember: this.uploads !== null },
        csrf: 'token of the session',
        messages: false,
        unread: this.notices.filter(({ isRead }) => !isRead).length,
        sessions: [
          { id: 'here', userAgent: 'Chromium here', current: true, ...session },
          { id: 'elsewhere', userAgent: 'Firefox elsewhere', current: false, ...session },
        ],
      };
    },
    newId: () => `id-${++ids}`,
  };
}

/** A newly registered client of the signed-in user. */
export function newClient(state: State, given: Partial<Client>): Client {
  const { pubkey, npub } = state.account!;
  const createdAt = Date.now();
  return {
    id: state.newId(),
    name: 'A client',
    description: '',
    homePage: '',
    contact: '',
    state: 'unpaid',
    suspendedBecause: '',
    searchesPerMinute: null,
    terms: { version: state.site.terms.version, acceptedAt: createdAt },
    createdAt,
    owners: [{ id: state.newId(), pubkey, npub, createdAt }],
    origins: [],
    keys: [],
    userAgents: [],
    requests: [],
    rejections: [],
    ...given,
  };
}
