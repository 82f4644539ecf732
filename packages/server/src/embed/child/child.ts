import { OperatorError } from '../../base/errors.ts';
import { endWithService } from '../../platform/process/index.ts';
import { type Engine, toRows } from './engine.ts';
import { loadEngine } from './load-engine.ts';
import type { ChildMessage, EngineOptions, RunMessage } from './protocol.ts';

// Entry point of the embedder's process. Vectors are computed only in this process.

endWithService();

process.once('message', (options: EngineOptions) => {
  loadEngine(options).then(serve, (error: unknown) => send({ type: 'broken', ...reasonOf(error) }));
});

function serve(engine: Engine): void {
  process.on('message', ({ kind, texts }: RunMessage) => {
    engine
      .embed(kind, texts)
      .then((vectors) => send({ type: 'done', rows: toRows(vectors, engine.dimensions) }))
      .catch((error: unknown) => send({ type: 'failed', ...reasonOf(error) }));
  });
  send({ type: 'loaded' });
}

function reasonOf(error: unknown): { message: string; operator: boolean } {
  const message = error instanceof Error ? error.message : String(error);
  return { message: message.slice(0, 500), operator: error instanceof OperatorError };
}

function send(message: ChildMessage): void {
  process.send?.(message);
}
