import { fileURLToPath } from 'node:url';
import { type AccountContext, askDomain, type Payments, registerDashboard } from './account/index.ts';
import { systemClock } from './clock.ts';
import { addressOf, type HttpContext } from './http/index.ts';
import { createDashboardLimit, SharedLimiter } from './limits/index.ts';
import type { Log } from './log.ts';
import { singleFlight } from './platform/cache/index.ts';
import { openDatabase } from './platform/db/index.ts';
import { openRegistry, type Registry } from './registry/index.ts';
import { foldersOf, REGISTRY_MIGRATIONS } from './store.ts';
import type { ThreadData } from './thread.ts';

/** Where the build puts the browser app; beside this package, whether this runs from its source or not. */
const FILES = fileURLToPath(new URL('../../dashboard/dist', import.meta.url));

export interface Dashboard {
  register: NonNullable<HttpContext['dashboard']>;
  close(): Promise<void>;
}

/** The dashboard on one thread. Unlike everything else there it has a database, opened when somebody first comes. */
export function createDashboard({ config, admins, limits }: ThreadData, payments: Payments, log: Log): Dashboard {
  const { service, account, http } = config;
  const fly = singleFlight<string>();
  let opened: Opened | undefined;
  const context: AccountContext = {
    log,
    clock: systemClock,
    publicUrl: service.publicUrl,
    operator: { name: service.operatorName, url: service.operatorUrl },
    admins: new Set(admins),
    signerRelays: account.signerRelays.split(',').flatMap((relay) => relay.trim() || []),
    async registry() {
      opened ??= open(config);
      await opened.registry.ready();
      return opened.registry.db;
    },
    payments,
    limit: createDashboardLimit(config.limits, new SharedLimiter(systemClock, limits.epoch, limits.media)),
    addressOf: (request) => addressOf(request, http.trustedProxies),
    // Of several who want the same at once, one asks.
    askDomain: (domain, name) => fly(`${name}@${domain}`, () => askDomain(domain, name)),
    files: FILES,
  };
  return {
    register: (app) => registerDashboard(app, context),
    close: async () => opened?.close(),
  };
}

interface Opened {
  registry: Registry;
  close(): Promise<void>;
}

function open({ service, registry: where }: ThreadData['config']): Opened {
  const own = openDatabase(foldersOf(service.data).database);
  const registry = openRegistry(where, own, REGISTRY_MIGRATIONS);
  return {
    registry,
    async close() {
      await registry.close();
      await own.destroy();
    },
  };
}
