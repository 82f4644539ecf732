import os from 'node:os';
import { endWithService } from '../../platform/process/index.ts';
import type { Reply } from './protocol.ts';

/**
 * Runs the main loop of every model process. Loads the model, then handles one request after another. The process has
 * the lowest priority, because searches and previews are more urgent. It exits when its service exits.
 */
export function answerRequests<Request, Result>(load: () => Promise<(request: Request) => Promise<Result>>): void {
  endWithService();
  // On other systems, the process starts at this priority (see process.ts).
  if (process.platform === 'win32') os.setPriority(os.constants.priority.PRIORITY_LOW);

  const send = (reply: Reply<Result>) => void process.send?.(reply);
  const serve = (answer: (request: Request) => Promise<Result>) => {
    process.on('message', (request: Request) => {
      answer(request)
        .then((result) => send({ type: 'done', result, rssBytes: process.memoryUsage.rss() }))
        .catch((error: unknown) => send({ type: 'failed', message: messageOf(error) }));
    });
    send({ type: 'loaded' });
  };
  load().then(serve, (error: unknown) => send({ type: 'broken', message: messageOf(error) }));
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 500);
}
