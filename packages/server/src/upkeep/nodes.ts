import { revision } from '../catalog/index.ts';
import { describeQueue } from '../platform/jobs/index.ts';
import { findNodes, type LiveNode } from '../platform/nodes/index.ts';
import { findHolders, type Holding, type Service } from '../service/index.ts';

/** The processes that share a catalogue, and the work that waits for them. */
export interface NodesReport {
  /** Number of changes of the catalogue so far. */
  revision: number;
  /** Live processes. `behind` is the number of changes that the served build does not show, null if it serves none. */
  nodes: (LiveNode & { behind: number | null })[];
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
    nodes: nodes.map((node) => ({ ...node, behind: node.revision === null ? null : now - node.revision })),
    holders: await findHolders(store),
    jobs: await describeQueue(db),
  };
}
