import { expect, test } from 'vitest';
import type { ClusterClient } from '../platform/opensearch/index.ts';
import { byPopularity, searchCluster } from './queries.ts';

/** Only a race makes a real cluster give these answers. */
function clientWith(answer: object): ClusterClient {
  return { request: async () => ({ responses: [answer] }) } as unknown as ClusterClient;
}

test.each([
  [404, 'index_not_found_exception', 'the index in the search cluster is missing'],
  [404, 'search_phase_execution_exception', 'the index in the search cluster is missing'],
  [503, 'search_phase_execution_exception', 'the search cluster is unavailable'],
  [429, 'circuit_breaking_exception', 'the search cluster is unavailable'],
])('a search that fails with %i %s says that the cluster is away', async (status, type, message) => {
  const client = clientWith({ error: { type, reason: 'all shards failed' }, status });
  await expect(searchCluster(client, 'gifs', [byPopularity({ hidden: [], limit: 1 })], 1_000)).rejects.toMatchObject({
    code: 'upstream_unavailable',
    message,
  });
});
