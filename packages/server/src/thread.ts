import { parentPort, workerData } from 'node:worker_threads';
import type { Config } from './config.ts';
import { ServiceError } from './errors.ts';
import { createApp, type HttpContext, type Lease } from './http/index.ts';
import { LiveIndex, type SharedBuild } from './index/index.ts';
import { createLog } from './log.ts';
import type { Derivative, MediaSource, StoredDerivative } from './media/index.ts';
import { FolderBlobs } from './platform/blobs/index.ts';

/** What the main thread hands a serving thread. */
export interface ThreadData {
  config: Config;
  mediaFolder: string;
  build: SharedBuild;
  /** One Int32: the cache generation, written by the main thread only. */
  gen: SharedArrayBuffer;
  port: number;
  reusePort: boolean;
}

export type ToThread =
  | { type: 'swap'; build: SharedBuild }
  | {
      type: 'ensured';
      call: number;
      stored?: StoredDerivative;
      error?: { code: string; message: string; retryAfter?: number };
    }
  | { type: 'stop' };

export type FromThread =
  | { type: 'listening' }
  | { type: 'ensure'; call: number; source: MediaSource; derivative: Derivative };

const data = workerData as ThreadData;
const port = parentPort!;
const gen = new Int32Array(data.gen);
let index = new LiveIndex(data.build);
let current: Lease = { index, gen: -1, epoch: '' };

function lease(): Lease {
  const now = Atomics.load(gen, 0);
  if (current.index !== index || current.gen !== now) {
    current = { index, gen: now, epoch: `${index.buildId} ${now}` };
  }
  return current;
}

/** Media work lies with the main thread, so that all threads together do a thing once. */
const waiting = new Map<number, PromiseWithResolvers<StoredDerivative>>();
let calls = 0;

function ensure(source: MediaSource, derivative: Derivative): Promise<StoredDerivative> {
  const call = ++calls;
  const settled = Promise.withResolvers<StoredDerivative>();
  waiting.set(call, settled);
  port.postMessage({ type: 'ensure', call, source, derivative } satisfies FromThread);
  return settled.promise;
}

function settle({ call, stored, error }: Extract<ToThread, { type: 'ensured' }>): void {
  const settled = waiting.get(call);
  waiting.delete(call);
  if (stored) settled?.resolve(stored);
  else settled?.reject(new ServiceError((error?.code ?? 'internal') as 'internal', error?.message ?? '', error ?? {}));
}

const { service, http } = data.config;
const context: HttpContext = {
  log: createLog(service.logLevel).child({ room: 'http' }),
  publicUrl: service.publicUrl,
  mediaUrl: service.mediaUrl,
  operator: { name: service.operatorName, url: service.operatorUrl },
  answerCacheBytes: http.answerCacheBytes,
  blobs: new FolderBlobs(data.mediaFolder),
  lease,
  ensure,
};
const app = createApp(context);

port.on('message', (message: ToThread) => {
  if (message.type === 'swap') index = new LiveIndex(message.build);
  else if (message.type === 'ensured') settle(message);
  else void app.close().then(() => port.close());
});

await app.listen({ host: service.host, port: data.port, reusePort: data.reusePort } as { host: string; port: number });
port.postMessage({ type: 'listening' } satisfies FromThread);
