import { expect, test } from 'vitest';
import type { ClusterClient } from '../platform/opensearch/index.ts';
import { writeChanges } from './bulk.ts';

const GIF = { id: 'a.gif', aliases: [], popularity: 1, titled: 0, terms: { cat: 9 }, stored: '' };

/** A real cluster gives these responses, too, but tests with a real cluster need Java. */
function clientWith(...items: object[]): ClusterClient {
  return { request: async () => ({ items }) } as unknown as ClusterClient;
}

test('the removal of a GIF that the index does not have is not a failure', async () => {
  const client = clientWith(
    { index: { _id: 'a.gif', status: 201, result: 'created' } },
    { delete: { _id: 'b.gif', status: 404, result: 'not_found' } },
  );
  expect(await writeChanges(client, 'gifs', [GIF, 'b.gif'], 7)).toEqual(new Set(['a.gif']));
});

test('a GIF that the cluster refuses is named with the reason, even if other changes only have to wait', async () => {
  const client = clientWith(
    { delete: { _id: 'b.gif', status: 429, error: { type: 'rejected', reason: 'the queue is full' } } },
    { index: { _id: 'a.gif', status: 400, error: { type: 'parsing', reason: 'a term is too long' } } },
  );
  await expect(writeChanges(client, 'gifs', ['b.gif', GIF], 7)).rejects.toThrow(
    'the search cluster refused the GIF a.gif: a term is too long',
  );
});

test('changes that have to wait are sent again, alone, and later versions in the cluster stay', async () => {
  const sent: string[][] = [];
  const busy = { type: 'rejected', reason: 'the queue is full' };
  const conflict = { status: 409, error: { type: 'conflict', reason: 'a later one' } };
  const client = {
    async request({ body }: { body: object[] }) {
      const ids = body.flatMap((line) => Object.values(line).flatMap(({ _id }) => _id ?? []));
      sent.push(ids);
      const waits = { status: 503, error: busy };
      const done = { status: 201, result: 'created' };
      const answerTo = (id: string) =>
        id === 'late.gif' ? conflict : id === 'a.gif' && sent.length === 1 ? waits : done;
      return { items: ids.map((_id) => ({ index: { _id, ...answerTo(_id) } })) };
    },
  } as unknown as ClusterClient;
  const changes = ['a.gif', 'b.gif', 'late.gif'].map((id) => ({ ...GIF, id }));
  expect(await writeChanges(client, 'gifs', changes, 7)).toEqual(new Set(['a.gif', 'b.gif']));
  expect(sent).toEqual([['a.gif', 'b.gif', 'late.gif'], ['a.gif']]);
});
