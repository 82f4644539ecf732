import http from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  findOpenSearch,
  type SearchCluster,
  startOpenSearch,
} from '../../packages/server/src/platform/opensearch/testing/cluster.ts';
import { findPostgres, startPostgres } from '../../packages/server/src/platform/testing/postgres.ts';
import type { NodeAction, SharedServer } from '../../packages/server/src/platform/testing/shared-server.ts';
import { writeCatalogue } from '../conformance/catalogue.ts';
import { prepareData } from './prepared-data.ts';
import { CLUSTER, startServer, temporaryFolder } from './server.ts';

/*
 * A process that starts the servers that all test files of a run share. A server is started when it is first requested.
 * The process ends all servers when its standard input ends, which also happens if the test run is killed.
 *
 * GET /NAME responds with the server's URLs, or with 500 and the reason if the server did not start. POST
 * /opensearch/N/ACTION ends, pauses or starts a node of the search cluster.
 *
 * Argument: the folder with prepared data.
 */

interface Running {
  urls: readonly string[];
  stop(): Promise<void>;
}

const STARTS: Readonly<Record<SharedServer, () => Promise<Running>>> = {
  async postgres() {
    const { url, stop } = await startPostgres(installed(findPostgres()));
    return { urls: [url], stop };
  },
  opensearch() {
    cluster = startOpenSearch(installed(findOpenSearch()));
    return cluster;
  },
  catalogue: () => serveCatalogue(),
  async 'catalogue-on-cluster'() {
    const { urls } = await start('opensearch');
    return serveCatalogue(urls);
  },
};
let cluster: Promise<SearchCluster> = Promise.reject(new Error('the search cluster was not started'));
cluster.catch(() => {});
const [prepared = ''] = process.argv.slice(2);
const started = new Map<string, Promise<Running>>();

const NODE = /^\/opensearch\/(?<n>\d)\/(?<action>kill|freeze|thaw|start)$/;

const server = http.createServer(async ({ url = '' }, response) => {
  const name = url.slice(1);
  const node = NODE.exec(url)?.groups as { n: string; action: NodeAction } | undefined;
  try {
    if (node !== undefined) {
      await (await cluster).nodes[Number(node.n)]![node.action]();
      return response.writeHead(200).end();
    }
    if (!isServer(name)) return response.writeHead(404).end();
    const { urls } = await start(name);
    response.writeHead(200).end(urls.join(','));
  } catch (error) {
    response.writeHead(500).end(`${name} did not start: ${error instanceof Error ? error.stack : error}`);
  }
  return undefined;
});

server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});

process.stdin.resume().on('end', async () => {
  // Services must end before the servers that they use, so the servers end in reverse order.
  for (const running of [...started.values()].toReversed()) await running.then(({ stop }) => stop()).catch(() => {});
  process.exit();
});
// The terminal also sends Ctrl-C to this process. It is ignored, because the test run must end before this process.
process.on('SIGINT', () => {});

function isServer(name: string): name is SharedServer {
  return Object.hasOwn(STARTS, name);
}

function start(name: SharedServer): Promise<Running> {
  const known = started.get(name);
  if (known !== undefined) return known;
  const starting = STARTS[name]();
  started.set(name, starting);
  return starting;
}

function installed(program: string | undefined): string {
  if (program === undefined) throw new Error('it is not installed');
  return program;
}

async function serveCatalogue(cluster?: readonly string[]): Promise<Running> {
  const folder = temporaryFolder();
  const env = cluster === undefined ? {} : { [CLUSTER]: cluster.join(',') };
  await prepareData(prepared, folder.path, writeCatalogue, env);
  const { url, stop } = await startServer(`${folder.path}/data`, env);
  return {
    urls: [url],
    async stop() {
      await stop();
      folder[Symbol.dispose]();
    },
  };
}
