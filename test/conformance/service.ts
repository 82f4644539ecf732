import { type ErrorBody, type Gif, OPERATIONS, type SearchResponse } from '@zoetrope/contract';
import { afterAll, beforeAll, expect, inject, vi } from 'vitest';
import { sharedServer } from '../../packages/server/src/platform/testing/shared-server.ts';
import { writeOne } from '../support/catalogues.ts';
import { addSources, prepareData, type WriteSources } from '../support/prepared-data.ts';
import { CLUSTER, DEVELOPMENT, type Server, startServer, temporaryFolder } from '../support/server.ts';
import { writeCatalogue, writeFilms, writeTopics } from './catalogue.ts';

export interface Parameter {
  name: string;
  in: string;
  required: boolean;
  schema: Record<string, unknown>;
}

export interface Description {
  openapi: string;
  info: { version: string };
  servers: { url: string }[];
  paths: Record<string, Record<string, { parameters: Parameter[]; responses: Record<string, unknown> }>>;
  components: { schemas: Record<string, { required: string[]; properties: Record<string, unknown> }> };
}

export interface Failure {
  status: number;
  code: string;
  message: string;
}

/** A service and what tests ask of it. */
class Service {
  url = '';

  /**
   * Waits until search by meaning works. Each request waits up to a second for the query's vector. This also caches the
   * vector of the query, so that its responses are the same on a busy machine.
   */
  async untilMeaning(q = 'cat'): Promise<void> {
    while ((await this.get(`/api/v1/search?q=${q}&mode=semantic`)).status === 503);
  }

  /** Sends a GET request as the development client. */
  get(path: string, headers: Record<string, string> = DEVELOPMENT): Promise<Response> {
    return fetch(this.url + path, { headers });
  }

  async search(params: string): Promise<SearchResponse> {
    const response = await this.get(`/api/v1/search?${params}`);
    expect(response.status, params).toBe(200);
    return (await response.json()) as SearchResponse;
  }

  /** Returns the only GIF in the catalogue with this word. */
  async gif(word: string): Promise<Gif> {
    const { items } = await this.search(`mode=text&q=${encodeURIComponent(word)}`);
    expect(items, word).toHaveLength(1);
    return items[0]!;
  }

  async fail(path: string, headers?: Record<string, string>): Promise<Failure> {
    return readFailure(await this.get(path, headers));
  }

  async description(): Promise<Description> {
    return (await (await this.get('/api/v1/openapi.json')).json()) as Description;
  }

  /** Returns a parameter in the API description. */
  async parameter(operation: keyof typeof OPERATIONS, name: string): Promise<Parameter> {
    const { paths } = await this.description();
    const found = paths[OPERATIONS[operation].path]?.['get']?.parameters.find((parameter) => parameter.name === name);
    expect(found, `${operation} ${name}`).toBeDefined();
    return found!;
  }
}

/** The service of one test file, which can change its data. */
export class OwnService extends Service {
  readonly folder = temporaryFolder();
  readonly data = `${this.folder.path}/data`;
  #server: Server | undefined;

  get pid(): number {
    return this.#server!.process.pid!;
  }

  async start(write: WriteSources, env: Record<string, string>): Promise<void> {
    await prepareData(inject('prepared'), this.folder.path, write);
    this.#server = await startServer(this.data, { ZOETROPE_THREADS: '1', ...env });
    this.url = this.#server.url;
    if (env['ZOETROPE_EMBEDDER'] !== 'none') await this.untilMeaning();
  }

  async stop(): Promise<void> {
    await this.#server?.stop();
    this.folder[Symbol.dispose]();
  }

  /** @returns the build with the new GIFs, which the running service loads within moments */
  add(...sources: string[]): Promise<string> {
    return addSources(this.data, sources);
  }
}

/** Reads a response that must be an error in the specified format. */
export async function readFailure(response: Response): Promise<Failure> {
  const text = await response.text();
  expect(response.headers.get('content-type'), text).toMatch(/^application\/json/);
  const body = JSON.parse(text) as ErrorBody;
  expect(body, text).toEqual({ error: { code: expect.any(String), message: expect.any(String) } });
  return { status: response.status, ...body.error };
}

/** A valid path for each of the three operations. */
export const OPERATION_PATHS = [
  '/api/v1/search?q=dog',
  '/api/v1/suggest?q=dog',
  '/api/v1/gifs/dog.gif/similar',
] as const;

/** Downloads a URL from a response without identification, like browsers download pictures. */
export async function download(address: string): Promise<Buffer> {
  const response = await fetchPatiently(address);
  expect(response.status, address).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

/** Retries while the service is busy, as clients should. */
export function fetchPatiently(address: string): Promise<Response> {
  return vi.waitFor(
    async () => {
      const response = await fetch(address);
      expect(response.status, address).not.toBe(503);
      return response;
    },
    { timeout: 480_000, interval: 1_000 },
  );
}

/** Uses the service of the catalogue that all test files in a run share. No test may change its data or stop it. */
export function useCatalogue(): Service {
  const service = new Service();
  beforeAll(async () => {
    service.url = await sharedServer(process.env[CLUSTER] === undefined ? 'catalogue' : 'catalogue-on-cluster');
    await service.untilMeaning();
  });
  return service;
}

/** Serves the catalogue to all tests in a file. */
export function serveCatalogue(env: Record<string, string> = {}): OwnService {
  return serveSources(writeCatalogue, env);
}

/** Serves GIFs about many topics to all tests in a file. */
export function serveTopics(env: Record<string, string> = {}): OwnService {
  return serveSources(writeTopics, env);
}

/** Serves GIFs with and without MP4s to all tests in a file. */
export function serveFilms(): OwnService {
  return serveSources(writeFilms, { ZOETROPE_EMBEDDER: 'none', ZOETROPE_FETCH_ALLOW_PRIVATE: 'true' });
}

/** Serves a single GIF, for tests about callers. */
export function serveOne(env: Record<string, string> = {}): OwnService {
  return serveSources(writeOne, { ZOETROPE_EMBEDDER: 'none', ...env });
}

function serveSources(write: WriteSources, env: Record<string, string>): OwnService {
  const service = new OwnService();
  beforeAll(() => service.start(write, env));
  afterAll(() => service.stop());
  return service;
}
