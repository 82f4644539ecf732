import fs from 'node:fs/promises';
import path from 'node:path';
import type { Overview } from '@zoetrope/contract/account';
import type { Console } from '../../account/index.ts';
import { systemClock } from '../../base/clock.ts';
import { rememberFor } from '../../base/remember.ts';
import { countGifs } from '../../catalog/index.ts';
import { configFileIn, settingsInForce } from '../../config.ts';
import type { Embedder } from '../../embed/index.ts';
import { readHistory } from '../../history/index.ts';
import { refusalsOfPath } from '../../ingest/index.ts';
import { findRelayAddress, reportOnRelays } from '../../relays/index.ts';
import { machineOf, type Service } from '../../service/index.ts';
import { readNumbers, reportOnNodes } from '../../upkeep/index.ts';
import { fetchUrls } from '../../work/index.ts';
import type { SearchWatch } from '../search-state.ts';
import type { Watch } from '../watch.ts';
import { createBackups, readBackups, summaryOfBackups } from './backups.ts';
import { createBuilds } from './builds.ts';
import { createSharedCatalogues } from './catalogues.ts';
import type { Claim } from './claim.ts';
import { forOperators } from './for-operators.ts';
import { createHealth, runChecks } from './health.ts';
import { createImports } from './imports.ts';
import { createLanguages } from './languages.ts';
import { createMembers } from './members.ts';
import { createSources } from './sources.ts';
import { uploadsIn } from './uploads.ts';

/** Time for which the number of GIFs is reused. Counting a million GIFs blocks the main thread for 0.2 s. */
const COUNT_MS = 60_000;

/** The parts of the running service that the console reports on. */
interface Observed {
  embedder: Embedder | undefined;
  search: Pick<SearchWatch, 'state'>;
  isGrowing(): Promise<boolean>;
  claim: Pick<Claim, 'canBeClaimed' | 'claim'>;
  watch: Promise<Pick<Watch, 'told'>>;
  /** Ends commands and downloads when the service stops. */
  stopping: AbortSignal;
}

/** Returns the functions that show operators the whole service. They run on the main thread. */
export function createConsole(service: Service, observed: Observed): Console {
  const { config, store } = service;
  const uploads = uploadsIn(store.folder);
  const imports = createImports(service, uploads);
  const gifs = rememberFor(COUNT_MS, () => countGifs(store.db));
  return {
    overview: () => readOverview(service, observed, gifs),
    health: createHealth(() => runChecks(observed.stopping), systemClock),
    history: (span) => readHistory(service.store.db, span, systemClock.now()),
    settings: async () => ({
      settings: settingsInForce(config, process.env, process.cwd()),
      file: configFileIn(process.cwd()),
    }),
    ...createBuilds(service),
    ...createBackups(service, observed.stopping),
    ...imports,
    ...createMembers(service, {
      ...{ uploads, stopping: observed.stopping },
      told: async (revision) => (await observed.watch).told(revision),
    }),
    ...createSources(service),
    ...createSharedCatalogues(service),
    ...createLanguages(service, observed.stopping),
    canBeClaimed: observed.claim.canBeClaimed,
    claim: observed.claim.claim,
    async download(batch, url) {
      const folder = path.join(uploads, batch);
      const { paths } = await forOperators(() =>
        fetchUrls(service, [url], { isLinked: false, signal: observed.stopping, folder }),
      );
      const [file] = paths as [string];
      return { name: path.basename(file), bytes: (await fs.stat(file)).size };
    },
    async explain(text) {
      const refusals = await refusalsOfPath(store.db, machineOf(service), text);
      const relay = await findRelayAddress(service, text);
      return {
        refusals: refusals.map(({ key, reason, message }) => ({ key, reason, message })),
        relay: relay === undefined ? null : { state: relay.state, reason: relay.reason ?? '' },
      };
    },
  };
}

async function readOverview(
  service: Service,
  { embedder, search, isGrowing }: Observed,
  countAll: () => Promise<number>,
): Promise<Overview> {
  const { gifs, build, held, jobs, clients, free } = await readNumbers(service, countAll);
  const { nodes, stranded } = await reportOnNodes(service);
  const { relays } = await reportOnRelays(service);
  return {
    ...{ build, held, jobs, clients, freeBytes: free, stranded },
    // The count is older than the build if GIFs were added within the last minute.
    gifs: { ...gifs, catalogue: Math.max(gifs.found, gifs.catalogue) },
    embedder: embedder?.state().state ?? 'none',
    search: search.state,
    growing: await isGrowing(),
    backups: summaryOfBackups(await readBackups(service)),
    nodes: nodes.map(({ machine, role, build, behind, claims }) => ({ machine, role, build, behind, claims })),
    relays: relays.map(({ url, state, error, changedAt, counts }) => {
      return { url, state, error, changedAt, taken: counts['taken'] ?? 0 };
    }),
  };
}
