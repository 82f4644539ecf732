import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ClusterClient } from '../platform/opensearch/index.ts';
import { findOpenSearch } from '../platform/opensearch/testing/cluster.ts';
import { sharedServer } from '../platform/testing/shared-server.ts';
import { SHORT_RUN } from '../platform/testing/short-run.ts';
import { countGifs, createGifsIndex, gifsIndex, removeOtherIndexes } from './layout.ts';

const java = process.env[SHORT_RUN] === '1' ? undefined : findOpenSearch();
const OWN = { prefix: 'layout', shards: 1, replicas: 0 };
/** Another service whose indexes also match the pattern for the indexes of this service. */
const OTHER = { ...OWN, prefix: 'layout-gifs-other' };

describe.skipIf(java === undefined)('the indexes of two services in one cluster', () => {
  let client: ClusterClient;

  beforeAll(async () => {
    client = new ClusterClient({ urls: (await sharedServer('opensearch')).split(',') });
  });

  afterAll(async () => {
    await removeOtherIndexes(client, OWN, []);
    await removeOtherIndexes(client, OTHER, []);
    await client.close();
  });

  test('are removed only by their own service', async () => {
    const names = [gifsIndex(OWN, '1_a'), gifsIndex(OWN, '2_b'), gifsIndex(OTHER, '1_a')];
    for (const name of names) await createGifsIndex(client, name, { format: '1', shards: 1, spaces: {} });
    await removeOtherIndexes(client, OWN, [gifsIndex(OWN, '2_b')]);
    const counts = names.map((name) => countGifs(client, name));
    expect(await Promise.all(counts)).toEqual([undefined, 0, 0]);
  });
});
