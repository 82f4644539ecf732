import { revision } from '../catalog/index.ts';
import { kindsOfMachine } from '../ingest/index.ts';
import { countClaims, describeQueue, dropJobs } from '../platform/jobs/index.ts';
import { findNodes, type LiveNode } from '../platform/nodes/index.ts';
import { findHolders, type Holding, type Service } from '../service/index.ts';

/** A live process. */
type ListedNode = LiveNode & {
  /** Number of changes that the served build does not show; null if the process serves none. */
  behind: number | null;
  /** Number of jobs that the process has claimed and not finished. */
  claims: number;
};

/** The processes that share a catalogue, and the work that waits for them. */
export interface NodesReport {
  /** Number of changes of the catalogue so far. */
  revision: number;
  nodes: ListedNode[];
  /** Work that one process at a time does, and which process does it now. */
  holders: Holding[];
  jobs: { open: number; oldestSeconds: number | null };
}

/** Returns the processes that share the catalogue. The list is empty if the catalogue is in the data folder. */
export async function reportOnNodes({
  store,
}: {
  store: Pick<Service['store'], 'db' | 'databaseUrl'>;
}): Promise<NodesReport> {
  const { db } = store;
  const now = await revision(db);
  const nodes = await findNodes(db);
  const claims = await countClaims(db);
  return {
    revision: now,
    nodes: nodes.map((node) => ({
      ...node,
      behind: node.revision === null ? null : now - node.revision,
      claims: claims.get(node.id) ?? 0,
    })),
    holders: await findHolders(store),
    jobs: await describeQueue(db),
  };
}

/**
 * Drops the open jobs that need files of a machine that will not come back.
 * @returns the number of dropped jobs
 */
export function forgetMachine({ store }: Pick<Service, 'store'>, machine: string): Promise<number> {
  return dropJobs(store.db, kindsOfMachine(machine));
}
