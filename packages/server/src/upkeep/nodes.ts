import { OperatorError } from '../base/errors.ts';
import { kindsOfMachine, machineOfKind } from '../ingest/index.ts';
import type { Database } from '../platform/db/index.ts';
import { countClaims, countKinds, describeQueue, dropJobs } from '../platform/jobs/index.ts';
import { findNodes, type LiveNode } from '../platform/nodes/index.ts';
import { revision } from '../records/index.ts';
import { findHolders, type Holding, type Service } from '../service/index.ts';

/** A live process. */
type ListedNode = LiveNode & {
  /** Number of changes that the served build does not show; null if the process serves no build. */
  behind: number | null;
  /** Number of jobs that the process has claimed but not finished. */
  claims: number;
};

/** The processes that share a catalogue, and their open work. */
export interface NodesReport {
  /** Number of changes of the catalogue so far. */
  revision: number;
  nodes: ListedNode[];
  /** The kinds of work that only one process at a time can do, each with the process that does it now. */
  holders: Holding[];
  jobs: { open: number; oldestSeconds: number | null };
  /** Open jobs that need files of machines without a live process. */
  stranded: { machine: string; open: number }[];
}

/** Returns the processes and open jobs. If the catalogue is in the data folder, the list of processes is empty. */
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
    stranded: await findStranded(db, nodes),
  };
}

async function findStranded(db: Database, nodes: readonly LiveNode[]): Promise<NodesReport['stranded']> {
  const counts = new Map<string, number>();
  for (const [kind, open] of await countKinds(db)) {
    const machine = machineOfKind(kind);
    if (machine !== undefined) counts.set(machine, (counts.get(machine) ?? 0) + open);
  }
  for (const { machine } of nodes) counts.delete(machine);
  return [...counts].map(([machine, open]) => ({ machine, open }));
}

/**
 * Drops the open jobs that need files on a machine that will not come back.
 * @returns the number of dropped jobs
 * @throws OperatorError if the machine has a live process, or if no open job needs its files
 */
export async function forgetMachine({ store: { db } }: Pick<Service, 'store'>, machine: string): Promise<number> {
  if ((await findNodes(db)).some((node) => node.machine === machine)) {
    throw new OperatorError(`${machine} has live processes. Stop them first; after a crash, wait half a minute`);
  }
  const dropped = await dropJobs(db, kindsOfMachine(machine));
  if (dropped === 0) throw new OperatorError(`No open job needs files of ${machine}. See zoetrope nodes`);
  return dropped;
}
