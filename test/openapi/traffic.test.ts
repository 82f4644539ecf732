import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parts } from '../support/parts.ts';
import { type Server, startServer, temporaryFolder, zoetrope } from '../support/server.ts';

const LINES = 1_000;
/**
 * Number of GIFs. It is high enough that most queries find something, and low enough that all GIFs get their vectors in
 * a few seconds.
 */
const GIFS = 2_000;
/** Requests at the same time. */
const CONNECTIONS = 8;

describe.skipIf(!parts.openapiTools || !parts.data)('traffic, compared with the OpenAPI description', () => {
  const folder = temporaryFolder();
  const data = `${folder.path}/data`;
  const description = path.join(folder.path, 'openapi.json');
  let server: Server;

  beforeAll(async () => {
    const manifest = path.join(folder.path, 'catalogue.jsonl');
    fs.writeFileSync(manifest, linesOf(path.join(parts.data!, 'catalogue.jsonl.gz')).slice(0, GIFS).join('\n'));
    const { code, stderr } = await zoetrope(data, ['add', manifest]);
    expect(code, stderr).toBe(0);
    server = await startServer(data);
    fs.writeFileSync(description, await (await server.get('/api/v1/openapi.json')).text());
  });

  afterAll(async () => {
    await server?.stop();
    folder[Symbol.dispose]();
  });

  async function ask(target: string): Promise<Exchange> {
    const response = await server.get(target);
    const { status, headers } = response;
    return { url: server.url + target, status, type: headers.get('content-type') ?? '', body: await response.text() };
  }

  /** Returns the exchanges that, according to redocly, differ from the description. */
  function findDrift(exchanges: readonly Exchange[]): { exchangeIndex: number }[] {
    const traffic = path.join(folder.path, 'traffic.har');
    fs.writeFileSync(traffic, JSON.stringify({ log: { version: '1.2', entries: exchanges.map(entryOf) } }));
    const report = path.join(folder.path, 'report.json');
    const redocly = path.resolve('tools/openapi/node_modules/.bin/redocly');
    const rules = 'undocumented-endpoint,schema-consistency';
    const args = ['drift', traffic, '--api', description, '--server', server.url, '--rules', rules];
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', CI: 'true' };
    const { stderr } = spawnSync(redocly, [...args, '--format', 'json', '--output', report], { env, encoding: 'utf8' });
    expect(fs.existsSync(report), stderr).toBe(true);
    const { run, problems } = JSON.parse(fs.readFileSync(report, 'utf8'));
    expect(run).toMatchObject({ totalExchanges: exchanges.length, skippedExchanges: 0 });
    return problems;
  }

  it(`is as described for ${LINES} lines of real queries`, async () => {
    const requests = queries(path.join(parts.data!, 'queries.tsv.gz'));
    const exchanges: Exchange[] = [];
    /** Number of responses, keyed by operation and status. */
    const statuses = new Map<string, number>();
    const count = (name: string) => statuses.set(name, (statuses.get(name) ?? 0) + 1);
    let lastId = 'none.gif';
    const send = async ({ op, q, params }: Query) => {
      const target =
        op === 'similar' ? `/api/v1/gifs/${lastId}/similar` : `/api/v1/${op}?q=${encodeURIComponent(q)}${params}`;
      const exchange = await ask(target);
      exchanges.push(exchange);
      count(`${op} ${exchange.status}`);
      count(op);
      if (op === 'search') lastId = /"id":"([^"]+)"/.exec(exchange.body)?.[1] ?? lastId;
    };
    for (let from = 0; from < requests.length; from += CONNECTIONS) {
      await Promise.all(requests.slice(from, from + CONNECTIONS).map(send));
    }
    expect(findDrift(exchanges).slice(0, 5)).toEqual([]);
    const counts = JSON.stringify(Object.fromEntries(statuses));
    const { paths } = JSON.parse(fs.readFileSync(description, 'utf8'));
    for (const [op, target] of Object.entries({
      search: '/search',
      suggest: '/suggest',
      similar: '/gifs/{id}/similar',
    })) {
      const described = Object.keys(paths[`/api/v1${target}`].get.responses).map((status) => `${op} ${status}`);
      const seen = [...statuses.keys()].filter((name) => name.startsWith(`${op} `));
      expect(described).toEqual(expect.arrayContaining(seen));
    }
    // Nearly all queries are good. The others are too long, or about an unknown GIF.
    for (const op of ['search', 'suggest']) {
      expect(statuses.get(`${op} 200`)! / statuses.get(op)!, counts).toBeGreaterThan(0.95);
    }
    expect(statuses.get('similar 200'), counts).toBeGreaterThan(0);
  });

  it('is reported as different if a field, a parameter or an address is wrong', async () => {
    const exchange = await ask('/api/v1/search?q=cat&limit=1');
    const mistakes = [
      { ...exchange, body: exchange.body.replace('"q":"cat"', '"q":7') },
      { ...exchange, body: exchange.body.replace('"q":"cat",', '') },
      { ...exchange, url: exchange.url.replace('limit=1', 'limit=201') },
      { ...exchange, url: exchange.url.replace('limit=1', 'unknown=1') },
      { ...exchange, url: exchange.url.replace('/search', '/find') },
    ];
    const found = findDrift([exchange, ...mistakes]);
    expect(found.map(({ exchangeIndex }) => exchangeIndex).sort()).toEqual([1, 2, 3, 4, 5]);
  });
});

interface Exchange {
  url: string;
  status: number;
  type: string;
  body: string;
}

/** An exchange as in a HAR file, without what redocly does not compare. */
function entryOf({ url, status, type, body }: Exchange) {
  const none = { headers: [], cookies: [], headersSize: -1, bodySize: -1, httpVersion: 'HTTP/1.1' };
  return {
    startedDateTime: new Date(0).toISOString(),
    time: 0,
    request: {
      ...none,
      method: 'GET',
      url,
      queryString: [...new URL(url).searchParams].map(([name, value]) => ({ name, value })),
    },
    response: {
      ...{ ...none, headers: [{ name: 'content-type', value: type }], status, statusText: '', redirectURL: '' },
      content: { size: body.length, mimeType: type, text: body },
    },
    cache: {},
    timings: { send: 0, wait: 0, receive: 0 },
  };
}

interface Query {
  op: string;
  q: string;
  params: string;
}

function queries(file: string): Query[] {
  const lines = linesOf(file).slice(1, LINES + 1);
  return lines.map((line) => {
    const [, , op = '', q = '', , params = ''] = line.split('\t');
    return { op, q, params: params.startsWith('limit') ? `&${params}` : '' };
  });
}

function linesOf(file: string): string[] {
  return gunzipSync(fs.readFileSync(file)).toString('utf8').split('\n');
}
