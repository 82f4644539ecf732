import { type Clock, systemClock } from '../base/clock.ts';
import { OperatorError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { BUNDLED } from './child/bundled-model.ts';
import { EngineFailure } from './child/process.ts';
import type { EngineOptions } from './child/protocol.ts';
import type { EmbedConfig } from './config.ts';
import { Documents } from './documents.ts';
import { openModelFolder } from './model-folder.ts';
import { Queries, type Rank, unavailable } from './queries.ts';
import { type EmbedderState, Runner } from './runner.ts';

/** The scan over vectors reads their signs in blocks of so many. */
const BLOCK = 128;

/** Turns text into vectors of unit length; two that are near mean nearly the same. */
export interface Embedder {
  /** Names the space of the vectors. Vectors of different ids say nothing of each other and must never be mixed. */
  readonly id: string;
  /** Numbers in a vector, a multiple of 128. */
  readonly dimensions: number;
  /** For health. */
  state(): EmbedderState;
  /**
   * The vector of a normalised query; null when it has no word that the model could know, so nothing is near it. It may be shared: do not write to it. Rejects with ServiceError `embedder_unavailable` after `deadlineMs`,
   * and at once while the embedder is down or 64 queries are waiting. Where those are full, who is registered takes the place of
   * somebody who is not.
   */
  embedQuery(query: string, deadlineMs: number, rank?: Rank): Promise<Float32Array | null>;
  /**
   * The vectors of documents' texts (see `documentText`), in order; null for a text without anything to embed. Queries
   * go before. Waits while the embedder is down, for a minute or more. Rejects with OperatorError when only
   * the operator can mend it, with ServiceError `embedder_unavailable` when waiting longer makes no sense, or with the
   * reason of `signal`.
   */
  embedDocuments(texts: readonly string[], signal?: AbortSignal): Promise<(Float32Array | null)[]>;
  /** Ends the process; what is not done is rejected. */
  close(): Promise<void>;
  /** Of the process that computes, for tests and for an operator's eyes. */
  readonly pid: number | undefined;
}

export interface EmbedderOptions {
  readonly config: EmbedConfig;
  /** Folder of the models that were pulled. */
  readonly models: string;
  readonly log: Log;
  readonly clock?: Clock;
  /** The process starts with the first text, for those who may not have any. */
  readonly lazy?: boolean;
}

/**
 * Starts the process that embeds, and does not wait for it: the state is `starting` until it has proved itself.
 * @returns undefined when the operator wants no search by meaning
 * @throws OperatorError when a setting or a model folder is wrong
 */
export async function createEmbedder(options: EmbedderOptions): Promise<Embedder | undefined> {
  const { config, log, clock = systemClock } = options;
  if (config.provider === 'none') return undefined;
  const { id, dimensions, engine } = await chooseEngine(config, options.models);
  const queries = new Queries(config.cacheEntries);
  const documents = new Documents();
  const work = {
    next: () => queries.take() ?? documents.take(),
    down: (error: Error, final: boolean) => {
      queries.rejectAll(error);
      if (final) documents.rejectAll(asRejection(error));
    },
  };
  let started: Runner | undefined;
  const running = (): Runner => {
    started ??= new Runner({ engine, dimensions, work, log, clock });
    return started;
  };
  if (!options.lazy) running();
  return {
    id,
    dimensions,
    state: () => running().state,
    async embedQuery(query, deadlineMs, rank = 'registered') {
      const known = queries.known(query);
      if (known !== undefined) return known.vector;
      const { state, why } = running().state;
      if (state === 'down') throw unavailable(why ?? 'the embedder is down');
      const vector = queries.embed(query, deadlineMs, rank);
      running().wake();
      return vector;
    },
    async embedDocuments(texts, signal) {
      const vectors = documents.embed(texts, signal);
      running().wake();
      return vectors;
    },
    close: async () => started?.close(),
    get pid() {
      return started?.pid;
    },
  };
}

interface Choice {
  readonly id: string;
  readonly dimensions: number;
  readonly engine: EngineOptions;
}

async function chooseEngine(config: EmbedConfig, models: string): Promise<Choice> {
  if (config.provider === 'bundled') return { ...BUNDLED, engine: { provider: 'bundled' } };
  const choice = config.provider === 'onnx' ? await openModelFolder(config.model, models) : chooseServer(config);
  if (choice.dimensions % BLOCK === 0) return choice;
  const where =
    config.provider === 'onnx' ? 'embedder.json of ZOETROPE_EMBEDDER_MODEL' : 'ZOETROPE_EMBEDDER_DIMENSIONS';
  throw new OperatorError(`${where} says ${choice.dimensions} dimensions; only models of a multiple of ${BLOCK} work`);
}

function chooseServer({ url, key, model, dimensions }: EmbedConfig): Choice {
  if (url === '') throw new OperatorError('ZOETROPE_EMBEDDER is http, so ZOETROPE_EMBEDDER_URL must name the server');
  return { id: `http:${model}/${dimensions}`, dimensions, engine: { provider: 'http', url, key, model, dimensions } };
}

function asRejection(error: Error): Error {
  const operator = error instanceof EngineFailure && error.operator;
  return operator ? new OperatorError(error.message, { cause: error }) : unavailable(error.message, error);
}
