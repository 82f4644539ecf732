import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { ServiceError } from '../../base/errors.ts';
import { createApp, type HttpContext, isLocal } from '../../http/index.ts';
import { type Database, migrate } from '../../platform/db/index.ts';
import { registryMigrations } from '../../registry/index.ts';
import type { AccountContext } from '../context.ts';
import { registerDashboard } from '../dashboard.ts';
import type { Payments } from '../payments.ts';
import { askDomain, type ProofOptions } from '../proofs/nip05.ts';
import { accountMigrations } from '../tables.ts';
import { termsOf } from '../terms.ts';

/** The public URL in the configuration. Tests connect to this machine instead. */
export const PUBLIC_URL = 'https://gifs.example';

export interface TestService {
  /** The URL on which the dashboard listens. */
  url: string;
  /** The service's clock, which tests advance. */
  time: { ms: number };
  stop(): Promise<void>;
}

/** The tables that the dashboard needs. */
export const DASHBOARD_TABLES = {
  '1': registryMigrations.registry,
  '2': registryMigrations.details,
  '3': accountMigrations.account,
  '4': registryMigrations.proofs,
  '5': registryMigrations.auditOwners,
  '6': accountMigrations.terms,
  '7': accountMigrations.challengeKey,
  '8': registryMigrations.keyExpiry,
  '9': accountMigrations.operators,
  '91': registryMigrations.usageByWay,
  '92': registryMigrations.notices,
  '93': registryMigrations.handovers,
  '94': registryMigrations.clientLimits,
};

/** Starts the dashboard on the same HTTP server that serving threads use. Adds the missing tables to the database. */
export async function startDashboard(
  db: Database,
  { proof, ...over }: Partial<AccountContext> & { proof?: ProofOptions } = {},
): Promise<TestService> {
  await migrate(db, DASHBOARD_TABLES);
  const time = { ms: Date.UTC(2026, 0, 1) };
  const log = pino({ level: 'silent' });
  const account: AccountContext = {
    log,
    clock: { now: () => time.ms },
    publicUrl: PUBLIC_URL,
    operator: OPERATOR,
    admins: new Set(),
    members: { pubkeys: new Set(), quota: { files: 10, bytes: 1_000 } },
    mediaUrl: PUBLIC_URL,
    nostrKey: '',
    signerRelays: [],
    isCached: false,
    registry: async () => db,
    catalogue: async () => db,
    picture: async () => null,
    search: async () => [],
    console: NO_CONSOLE,
    uploads: { folder: '/nowhere', maxBytes: 1_000, reserveBytes: 0 },
    payments: FREE,
    limit: () => undefined,
    addressOf: () => 'somewhere',
    isLocal,
    askDomain: (domain, name) => askDomain(domain, name, proof),
    files: '/nowhere',
    ...over,
  };
  const dashboard: HttpContext['dashboard'] = (app) => registerDashboard(app, account);
  const http: Partial<HttpContext> = {
    log,
    publicUrl: PUBLIC_URL,
    answerCacheBytes: 1e6,
    mediaCacheBytes: 1e6,
    mediaLimits: { requests: undefined, bytes: undefined },
    requestTimeoutMs: 30_000,
    connectionsPerAddress: 0,
    robots: 'noindex',
    faces: new Map(),
    hasMembers: true,
    dashboard,
  };
  const app = createApp(http as HttpContext);
  await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
    time,
    stop: () => app.close(),
  };
}

const OPERATOR = { name: 'Example', url: 'https://operator.example' };
/** The version of the current terms. */
export const TERMS_VERSION = termsOf(OPERATOR, 0).version;

/** A console of a service that has no data. */
const NO_CONSOLE: AccountContext['console'] = {
  overview: nothing,
  health: nothing,
  history: nothing,
  builds: nothing,
  holdBuild: nothing,
  releaseBuild: nothing,
  backups: nothing,
  makeBackup: nothing,
  settings: nothing,
  imports: nothing,
  findImport: nothing,
  startImport: nothing,
  pauseImport: nothing,
  retryImport: nothing,
  download: nothing,
  checkUpload: nothing,
  takeUpload: nothing,
  mirrorUpload: nothing,
  uploadsOf: nothing,
  listUploads: nothing,
  deleteUpload: nothing,
  members: nothing,
  sources: nothing,
  sharedCatalogues: nothing,
  followRelay: nothing,
  leaveRelay: nothing,
  ignoreMarks: nothing,
  languages: nothing,
  removeDictionary: nothing,
  pullModel: nothing,
  removeModel: nothing,
  explain: async () => ({ refusals: [], relay: null }),
  canBeClaimed: async () => false,
  claim: nothing,
};

async function nothing(): Promise<never> {
  throw new ServiceError('not_found', 'There is nothing');
}

/** Payments without a fee. */
const FREE: Payments = {
  fee: () => ({ sats: 0, provider: 'none' }),
  async createInvoice() {
    throw new ServiceError('conflict', 'Registration is free: there is nothing to pay');
  },
  latestInvoice: async () => undefined,
  oddOrders: async () => ({ orders: [] }),
  noteOrder: refuseAny,
  acceptOrder: refuseAny,
  refuseOrder: refuseAny,
};

async function refuseAny(id: string): Promise<never> {
  throw new ServiceError('not_found', `No order has the id ${id.slice(0, 100)}`);
}
