import { expect, test } from 'vitest';
import { type ClusterClient, ClusterRefusal } from '../platform/opensearch/index.ts';
import { byAlias, byPopularity, byVector, searchCluster } from './queries.ts';

/** A real cluster gives these responses only in a race. */
function clientWith(answer: object): ClusterClient {
  return { request: async () => ({ responses: [answer] }) } as unknown as ClusterClient;
}

test.each([
  [404, 'index_not_found_exception', 'the index in the search cluster is missing', 30],
  [404, 'search_phase_execution_exception', 'the index in the search cluster is missing', 30],
  [503, 'search_phase_execution_exception', 'the search cluster is unavailable', 1],
  [429, 'circuit_breaking_exception', 'the search cluster is unavailable', 1],
])(
  'a search that fails with %i %s reports that the cluster is unavailable',
  async (status, type, message, retryAfter) => {
    const client = clientWith({ error: { type, reason: 'all shards failed' }, status });
    await expect(searchCluster(client, 'gifs', [byPopularity({ hidden: [], limit: 1 })], 1_000)).rejects.toMatchObject({
      code: 'upstream_unavailable',
      message,
      retryAfter,
    });
  },
);

test('a search during which the index is removed reports that the cluster is unavailable', async () => {
  const cause = { type: 'null_pointer_exception', reason: '"indexMetadata" is null' };
  const failed = { type: 'query_shard_exception', reason: 'failed to create query', caused_by: cause };
  const error = { type: 'search_phase_execution_exception', reason: 'Partial shards failure', caused_by: failed };
  const search = byVector('meaning', [1, 2], { hidden: [], limit: 1 });
  await expect(searchCluster(clientWith({ error, status: 400 }), 'gifs', [search], 1_000)).rejects.toMatchObject({
    code: 'upstream_unavailable',
    message: 'the search cluster is unavailable',
    retryAfter: 1,
  });
});

test('a search that the cluster does not accept is reported as refused', async () => {
  const cause = { type: 'parsing_exception', reason: 'unknown query [tems]' };
  const error = { type: 'search_phase_execution_exception', reason: 'all shards failed', caused_by: cause };
  const search = byPopularity({ hidden: [], limit: 1 });
  await expect(searchCluster(clientWith({ error, status: 400 }), 'gifs', [search], 1_000)).rejects.toThrow(
    new ClusterRefusal(400, error.type, 'the search cluster refused a search: all shards failed'),
  );
});

test('all pages of a query come from the same copies of the data, and other queries can use other copies', async () => {
  const heads: { preference?: string }[] = [];
  const request = async (ask: (preference?: string) => { body: object[] }) => {
    const { body } = ask();
    heads.push(...body.filter((_, i) => i % 2 === 0));
    return { responses: body.map(() => ({ hits: { hits: [] } })) };
  };
  const searches = [
    byVector('meaning', [1, 2], { hidden: [], limit: 24 }),
    byVector('meaning', [1, 2], { hidden: [], limit: 48 }),
    byVector('meaning', [2, 1], { hidden: [], limit: 24 }),
  ];
  await searchCluster({ request } as unknown as ClusterClient, 'gifs', searches, 1_000);
  const [first, second, other] = heads.map(({ preference }) => preference);
  expect(first).toMatch(/^[0-9a-f]{40}$/);
  expect(second).toBe(first);
  expect(other).not.toBe(first);
});

test('a hidden GIF is found neither by its id nor by a former id', () => {
  const hidden = { hidden: ['a.gif'], limit: 1 };
  const searches = [byPopularity(hidden), byAlias('b.gif', hidden), byVector('looks', [1, 2], hidden)];
  for (const { body } of searches) {
    const text = JSON.stringify(body);
    expect(text).toContain('"must_not":[{"ids":{"values":["a.gif"]}},{"terms":{"aliases":["a.gif"]}}]');
  }
});
