import { setImmediate as pause } from 'node:timers/promises';
import { Languages, withoutVariants } from '@zoetrope/search';
import { type Clock, systemClock } from '../base/clock.ts';
import { OperatorError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { isBeingMade, modelFileSoon, readModel } from '../platform/models/index.ts';
import { BUNDLED } from './child/bundled-model.ts';
import { EngineFailure } from './child/process.ts';
import type { EngineOptions } from './child/protocol.ts';
import type { EmbedConfig } from './config.ts';
import { Documents } from './documents.ts';
import { openModelFolder } from './model-folder.ts';
import { Queries, type Rank, unavailable } from './queries.ts';
import type { EmbedderState } from './runner.ts';
import { Runners } from './runners.ts';
import { embedWithTable, openMeaningTable, readMeaningTable, type TableName } from './table.ts';

/** Number of sign bits that the vector scan reads as one block. */
const BLOCK = 128;
/**
 * Maximum wait of a query for a process that starts because of this query, in milliseconds. The start takes half a second
 * on an idle machine.
 */
const START_MS = 2_000;
const LANGUAGES = 'languages.bin';
/**
 * Number of texts that are embedded before other work of this thread continues. Embedding these texts takes about 10
 * ms.
 */
const AT_ONCE = 128;

/** A table whose vectors can be compared with those of an embedder. */
export interface QueryTable {
  readonly name: TableName;
  /**
   * `short`: the table embeds only short queries. A sum of word vectors does not show who does what, so the embedder's
   * process embeds longer queries.
   */
  readonly queries: 'all' | 'short';
}

/** Turns text into vectors of unit length. Texts with similar meaning have vectors close to each other. */
export interface Embedder {
  /** Identifies the vector space. Vectors of different spaces cannot be compared and must never be mixed. */
  readonly id: string;
  /** Numbers per vector, a multiple of 128. */
  readonly dimensions: number;
  /** The table that embeds queries, and the queries that it embeds. Undefined if the process embeds all queries. */
  readonly table: QueryTable | undefined;
  /** Returns the embedder's state, for health checks. */
  state(): EmbedderState;
  /**
   * Returns the vector of a normalised query, which is the same for all forms of an emoji. Returns null if the model
   * has none of the query's words, because then nothing is similar to the query. Do not modify the vector, because
   * callers share it. Rejects with ServiceError `embedder_unavailable` after `deadlineMs`, or immediately while the
   * embedder is down or 64 queries are waiting. If the queue is full, the query of a registered caller replaces that of
   * an anonymous caller.
   */
  embedQuery(query: string, deadlineMs: number, rank?: Rank): Promise<Float32Array | null>;
  /**
   * Returns the vectors of document texts (see `documentText`), in order, or null for a text with nothing to embed.
   * Queries have priority. While the embedder is down, waits for a minute or more. Rejects with OperatorError if only
   * the operator can fix the embedder, with ServiceError `embedder_unavailable` if waiting longer would not help, or
   * with the reason of `signal`.
   */
  embedDocuments(texts: readonly string[], signal?: AbortSignal): Promise<(Float32Array | null)[]>;
  /** Ends the process. Pending work is rejected. */
  close(): Promise<void>;
  /** Ids of the first process, and of the second process, which embeds only documents. For tests. */
  readonly pids: readonly (number | undefined)[];
}

export interface EmbedderOptions {
  readonly config: EmbedConfig;
  /** Folder of the pulled models. */
  readonly models: string;
  readonly log: Log;
  readonly clock?: Clock;
  /**
   * If true, the process starts with the first text, and ends after ten minutes without a text. This is for callers
   * that may never have a text.
   */
  readonly lazy?: boolean;
  /** Time without a text after which a lazy process ends, in milliseconds. Only tests change it. */
  readonly idleMs?: number;
  /** Number of consecutive texts from which on a second process is used. Only tests change it. */
  readonly manyTexts?: number;
}

/**
 * Opens the embedder. The table is ready immediately. Every other embedder has its own process. This function starts
 * the process without waiting for it: the state is `starting` until a first test has passed. A lazy embedder counts as
 * ready while it has no process.
 * @returns undefined if semantic search is turned off
 * @throws OperatorError if a setting or a model folder is wrong
 */
export async function createEmbedder(options: EmbedderOptions): Promise<Embedder | undefined> {
  const { config, log, clock = systemClock } = options;
  if (config.provider === 'none') return undefined;
  if (config.provider === 'table') return createTableEmbedder(clock.now());
  const { id, dimensions, table, engine } = await chooseEngine(config, options.models);
  const queries = new Queries(config.cacheEntries);
  const documents = new Documents();
  const down = (error: Error, final: boolean) => {
    queries.rejectAll(error);
    if (final) documents.rejectAll(asRejection(error));
  };
  const { lazy = false, idleMs, manyTexts } = options;
  const runners = new Runners({ engine, dimensions, queries, documents, down, log, clock, lazy, idleMs, manyTexts });
  return {
    id,
    dimensions,
    table: table === undefined ? undefined : { name: table, queries: 'short' },
    state: () => runners.state,
    async embedQuery(query, deadlineMs, rank = 'registered') {
      // All forms of an emoji become one text, so that their vector is computed once. (A text gets slightly different
      // vectors in different batches, so the forms of an emoji would rank results differently.)
      const text = withoutVariants(query);
      const known = queries.known(text);
      if (known !== undefined) return known.vector;
      const texts = engine.provider === 'bundled' ? inEnglish(text) : [text];
      if (texts.length === 0) return null;
      runners.wake();
      const { state, since, why } = runners.state;
      if (state === 'down') throw unavailable(why ?? 'the embedder is down');
      const startMs = lazy && state === 'starting' ? since + START_MS - clock.now() : 0;
      const vector = queries.embed(text, Math.max(deadlineMs, startMs), rank, texts);
      runners.wake();
      return vector;
    },
    async embedDocuments(texts, signal) {
      const vectors = documents.embed(texts, signal);
      runners.wakeForDocuments(texts.length, vectors);
      return vectors;
    },
    close: () => runners.close(),
    get pids() {
      return runners.pids;
    },
  };
}

/** Returns the embedder that looks words up in the table of meanings. It needs no process and is always ready. */
function createTableEmbedder(now: number): Embedder {
  const table = openMeaningTable(readMeaningTable('meaning'));
  return {
    id: table.id,
    dimensions: table.dimensions,
    table: { name: 'meaning', queries: 'all' },
    state: () => ({ state: 'ready', since: now, why: null }),
    async embedQuery(query) {
      await modelFileSoon(LANGUAGES);
      return embedWithTable(table, query, ownLanguages());
    },
    async embedDocuments(texts, signal) {
      const vectors: (Float32Array | null)[] = [];
      for (const text of texts) {
        if (vectors.length % AT_ONCE === 0) await pause();
        signal?.throwIfAborted();
        vectors.push(table.vectorOf([text]));
      }
      return vectors;
    },
    close: async () => {},
    pids: [],
  };
}

let languages: Languages | undefined;

/** Returns our dictionary of all languages. Its bytes are shared with the threads. */
function ownLanguages(): Languages {
  languages ??= new Languages(readModel(LANGUAGES));
  return languages;
}

/** Returns the English texts for a normalised query. The bundled encoder understands only English. */
function inEnglish(query: string): string[] {
  if (isBeingMade(LANGUAGES)) throw unavailable('the dictionary of all languages is still being made');
  return ownLanguages().inEnglish(query);
}

interface Choice {
  readonly id: string;
  readonly dimensions: number;
  /** The table that imitates this encoder. */
  readonly table?: TableName | undefined;
  readonly engine: EngineOptions;
}

async function chooseEngine(config: EmbedConfig, models: string): Promise<Choice> {
  if (config.provider === 'bundled') return { ...BUNDLED, table: 'queries', engine: { provider: 'bundled' } };
  const choice = config.provider === 'onnx' ? await openModelFolder(config.model, models) : chooseServer(config);
  if (choice.dimensions % BLOCK === 0) return choice;
  const where =
    config.provider === 'onnx' ? 'embedder.json of ZOETROPE_EMBEDDER_MODEL' : 'ZOETROPE_EMBEDDER_DIMENSIONS';
  throw new OperatorError(`${where} sets ${choice.dimensions} dimensions, but only multiples of ${BLOCK} work`);
}

function chooseServer({ url, key, model, dimensions }: EmbedConfig): Choice {
  if (url === '')
    throw new OperatorError('ZOETROPE_EMBEDDER is http, so ZOETROPE_EMBEDDER_URL must be set to the URL of the server');
  return { id: `http:${model}/${dimensions}`, dimensions, engine: { provider: 'http', url, key, model, dimensions } };
}

function asRejection(error: Error): Error {
  const operator = error instanceof EngineFailure && error.operator;
  return operator ? new OperatorError(error.message, { cause: error }) : unavailable(error.message, error);
}
