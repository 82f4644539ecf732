import { revision } from '../catalog/index.ts';
import type { Database } from '../platform/db/index.ts';
import { countJobs, describeQueue } from '../platform/jobs/index.ts';
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
  return {
    revision: now,
    nodes: await Promise.all(nodes.map((node) => describe(node, now, db))),
    holders: await findHolders(store),
    jobs: await describeQueue(db),
  };
}

async function describe(node: LiveNode, now: number, db: Database): Promise<ListedNode> {
  const behind = node.revision === null ? null : now - node.revision;
  return { ...node, behind, claims: await countJobs(db, 'ready', { worker: node.id }) };
}
