import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/server.ts';
import type { Question } from '../questions/question.ts';
import { AdultWatch } from './adult.ts';
import { runPlan } from './ask.ts';
import { Client } from './client.ts';
import { Progress } from './progress.ts';

const folder = temporaryFolder();
const rows = [
  { id: 'a.gif', title: 'Happy cat', tags: ['cat'] },
  { id: 'b.gif', title: 'Lewd cat', tags: ['lewdness'], adult: true },
];
fs.writeFileSync(path.join(folder.path, 'rows.jsonl'), rows.map((row) => JSON.stringify(row)).join('\n'));
fs.writeFileSync(path.join(folder.path, 'adult_ids.tsv'), 'id\ttitle\nc.gif\tnot in the manifest\n');

const servers: http.Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function serve(answer: (request: number) => [status: number, body: unknown]): Promise<[Client, AdultWatch]> {
  let requests = 0;
  const server = http.createServer((_, response) => {
    const [status, body] = answer(++requests);
    response.writeHead(status, { 'retry-after': '0' }).end(JSON.stringify(body));
  });
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  const watch = new AdultWatch(folder.path, [path.join(folder.path, 'rows.jsonl')]);
  return [new Client(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, watch), watch];
}

const items = (...ids: string[]) => ({ semantic: true, items: ids.map((id) => ({ id, title: '', tags: [] })) });
const question: Question = {
  group: 'g',
  parts: ['p'],
  ask: async (client) => {
    const { ids, semantic } = await client.search('q', 'auto', 24);
    return { scores: { found: ids.length }, semantic };
  },
};

describe('a plan', () => {
  const plan = { set: 's', channel: 'auto' as const, questions: Array.from({ length: 9 }, () => question) };

  it('measures all its questions', async () => {
    const [client] = await serve((n) => (n === 3 ? [429, {}] : [200, items('a.gif')]));
    const run = await runPlan(plan, client, new Progress([plan]));
    expect(run).toMatchObject({ state: 'measured', answers: 9, semantic: 9 });
    expect(run.figures).toMatchObject([{ part: 'p', metric: 'found', value: 9, questions: 9 }]);
    expect(client.requests).toBe(10);
  });

  it('does not run if the service responds with 503', async () => {
    const [client] = await serve(() => [503, { error: { code: 'embedder_unavailable' } }]);
    const run = await runPlan(plan, client, new Progress([plan]));
    expect(run).toMatchObject({ state: 'not running', reason: '503 embedder_unavailable', figures: [] });
    expect(client.requests).toBeLessThan(9);
  });

  it('is absent without questions', async () => {
    const [client] = await serve(() => [200, items()]);
    const run = await runPlan({ ...plan, questions: undefined, reason: 'why' }, client, new Progress([plan]));
    expect(run).toMatchObject({ state: 'absent', reason: 'why' });
  });

  it('ends with an error if any other request fails', async () => {
    const [client] = await serve(() => [500, {}]);
    await expect(runPlan(plan, client, new Progress([plan]))).rejects.toThrow('answered 500');
  });
});

describe('the watch', () => {
  it('counts adult GIFs in every response, whether marked in the manifest or listed', async () => {
    const [client, watch] = await serve(() => [200, items('a.gif', 'b.gif', 'c.gif')]);
    await client.search('q', 'text', 24);
    expect([watch.found('search'), watch.found('similar')]).toEqual([2, 0]);
    await client.similar('a.gif', 24);
    expect(watch.found('similar')).toBe(2);
  });

  it('counts terms that only adult GIFs have', async () => {
    const terms = ['cat', 'lewdness', 'LEWD', 'lew', 'unheard'].map((term) => ({ term, n: 1, kind: 'tag' }));
    const [client, watch] = await serve(() => [200, { terms }]);
    await client.suggest('l', 8);
    expect(watch.found('suggest')).toBe(2);
  });
});
