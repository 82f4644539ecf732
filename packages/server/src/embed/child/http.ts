import { Agent, request } from 'undici';
import { OperatorError } from '../../base/errors.ts';
import type { Engine } from './engine.ts';
import type { EngineOptions } from './protocol.ts';

/**
 * Time limits for the server. They are shorter than the time limit of a run, so that the process is not killed when the
 * server is slow, not even on a busy machine. No caller waits longer for a query.
 */
const TIMEOUT_MS = { query: 1_000, document: 4_000 };
/** Maximum length of a number in JSON, in bytes. */
const NUMBER_BYTES = 25;
const FRAME_BYTES = 65_536;

type HttpOptions = Extract<EngineOptions, { provider: 'http' }>;

/** Opens a server with OpenAI's embeddings API, such as text-embeddings-inference or llama.cpp. */
export function openHttp({ url, key, model, dimensions }: HttpOptions): Engine {
  const address = `${url.replace(/\/+$/, '')}/v1/embeddings`;
  const agent = new Agent({ connections: 1 });
  const headers = { 'content-type': 'application/json', ...(key === '' ? {} : { authorization: `Bearer ${key}` }) };

  return {
    dimensions,
    async embed(kind, texts) {
      const present = texts.filter((text) => text.trim() !== '');
      if (present.length === 0) return texts.map(() => null);
      const signal = AbortSignal.timeout(TIMEOUT_MS[kind]);
      const body = JSON.stringify({ model, input: present, encoding_format: 'float' });
      const answer = await request(address, { method: 'POST', dispatcher: agent, signal, headers, body });
      try {
        checkStatus(answer.statusCode);
        const text = await collect(answer.body, FRAME_BYTES + present.length * dimensions * NUMBER_BYTES);
        const vectors = readVectors(text, present.length, dimensions);
        return texts.map((text) => (text.trim() === '' ? null : vectors.shift()!));
      } finally {
        answer.body.on('error', () => {}).destroy();
      }
    },
  };
}

function checkStatus(status: number): void {
  if (status === 200) return;
  const message = `the server of ZOETROPE_EMBEDDER_URL returned status ${status}`;
  if (status === 401 || status === 403) throw new OperatorError(`${message}: check ZOETROPE_EMBEDDER_KEY`);
  if (status === 404) throw new OperatorError(`${message}: check ZOETROPE_EMBEDDER_URL and ZOETROPE_EMBEDDER_MODEL`);
  throw new Error(message);
}

async function collect(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error(`the server of ZOETROPE_EMBEDDER_URL returned more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Reads the vectors of a response. Each vector has an index, because the vectors can be in any order. */
function readVectors(text: string, count: number, dimensions: number): number[][] {
  const { data } = JSON.parse(text) as { data?: unknown };
  const vectors: number[][] = [];
  for (const row of Array.isArray(data) ? data : []) {
    const { index, embedding } = (row ?? {}) as { index?: unknown; embedding?: unknown };
    if (!Number.isInteger(index) || !Array.isArray(embedding)) continue;
    checkVector(embedding, dimensions);
    vectors[index as number] = embedding;
  }
  if (Object.keys(vectors).length === count && vectors.length === count) return vectors;
  throw new Error(`the server of ZOETROPE_EMBEDDER_URL did not return ${count} vectors`);
}

function checkVector(embedding: unknown[], dimensions: number): void {
  if (embedding.length !== dimensions) {
    throw new OperatorError(
      `ZOETROPE_EMBEDDER_DIMENSIONS is ${dimensions}, but the server's vectors have ${embedding.length} numbers`,
    );
  }
  if (embedding.every((value) => typeof value === 'number' && Number.isFinite(value))) return;
  throw new Error('the server of ZOETROPE_EMBEDDER_URL returned vectors that contain something other than numbers');
}
