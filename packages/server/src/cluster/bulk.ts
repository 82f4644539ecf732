import { setTimeout as wait } from 'node:timers/promises';
import { ServiceError } from '../base/errors.ts';
import { type ClusterClient, ClusterRefusal } from '../platform/opensearch/index.ts';
import { type ClusterDocument, isIndexThere, writesOf } from './layout.ts';

/** A GIF to write, or the id of a GIF to remove. */
export type ClusterChange = ClusterDocument | string;

interface BulkItem {
  _id: string;
  status: number;
  result?: string;
  error?: { type: string; reason: string };
}

const DEADLINE_MS = 60_000;
/** Maximum number of attempts. The first pause between attempts lasts one second, the next two seconds, and so on. */
const ATTEMPTS = 6;
const AGAIN_MS = 1_000;
/** Statuses of a shard whose queue is full, or that is moving to another node. */
const TRANSIENT = new Set([429, 503]);
/** The cluster already has a later version. */
const CONFLICT = 409;

/**
 * Writes changes to an index that exists. The cluster ignores a change if the document already has a later revision.
 * Therefore changes can be sent again, and within an hour they can arrive in any order (see `gc_deletes` in layout.ts).
 * @returns the ids of GIFs that were new to the index. A GIF is left out if the response to its first request was lost
 * @throws ClusterRefusal if the cluster refuses a document; ServiceError `upstream_unavailable`
 */
export async function writeChanges(
  client: ClusterClient,
  index: string,
  changes: readonly ClusterChange[],
  revision: number,
): Promise<ReadonlySet<string>> {
  const created = new Set<string>();
  let left = changes;
  for (let attempt = 1; left.length > 0; attempt++) {
    const items = await sendAgain(() => send(client, index, left, revision));
    for (const { _id, result } of items) if (result === 'created') created.add(_id);
    const waiting = waitingOf(items, attempt === ATTEMPTS);
    left = left.filter((change) => waiting.has(idOf(change)));
    if (left.length > 0) await wait(AGAIN_MS * attempt);
  }
  return created;
}

/**
 * Returns the ids of the documents that must be sent again.
 * @throws ClusterRefusal if another attempt would not help; ServiceError `upstream_unavailable` after the last attempt
 */
function waitingOf(items: readonly BulkItem[], isLastAttempt: boolean): Set<string> {
  const failed = items.filter(({ status, result }) => status >= 400 && status !== CONFLICT && result !== 'not_found');
  const refused = failed.find(({ status }) => !TRANSIENT.has(status));
  if (refused !== undefined) throw refusalOf(refused);
  if (isLastAttempt && failed.length > 0) {
    // This happens, for example, if a disk is full.
    const message = `the search cluster accepts no changes now: ${failed[0]!.error?.reason ?? 'no reason given'}`;
    throw new ServiceError('upstream_unavailable', message, { retryAfter: 1 });
  }
  return new Set(failed.map(({ _id }) => _id));
}

/** Calls `attempt` again while the cluster is unavailable. */
async function sendAgain<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof ServiceError) || tries === ATTEMPTS) throw error;
    }
    await wait(AGAIN_MS * tries);
  }
}

async function send(
  client: ClusterClient,
  index: string,
  changes: readonly ClusterChange[],
  version: number,
): Promise<BulkItem[]> {
  const lines = changes.flatMap((change): object[] => {
    const about = { _id: idOf(change), version, version_type: 'external_gte' };
    return typeof change === 'string' ? [{ delete: about }] : [{ index: about }, change];
  });
  // The cluster ignores `require_alias` for removals.
  const isGone = changes.some((change) => typeof change === 'string') && !(await isIndexThere(client, index));
  const path = `/${writesOf(index)}/_bulk?require_alias=true`;
  const request = { method: 'POST', path, body: lines, deadlineMs: DEADLINE_MS } as const;
  const answer = isGone ? null : await client.request<{ items: Record<string, BulkItem>[] }>(request);
  if (answer === null) throw new ClusterRefusal(404, 'index_not_found_exception', `there is no index ${index}`);
  return answer.items.flatMap((item) => Object.values(item));
}

function idOf(change: ClusterChange): string {
  return typeof change === 'string' ? change : change.id;
}

function refusalOf({ _id, status, error }: BulkItem): ClusterRefusal {
  const reason = error?.reason ?? 'no reason given';
  return new ClusterRefusal(status, error?.type ?? '', `the search cluster refused the GIF ${_id}: ${reason}`);
}
