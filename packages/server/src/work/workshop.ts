import { randomUUID } from 'node:crypto';
import { systemClock, within } from '../base/clock.ts';
import { OperatorError } from '../base/errors.ts';
import type { Embedder } from '../embed/index.ts';
import { createLooks, type RatingMode } from '../enrich/index.ts';
import type { OnProgress, Source } from '../ingest/index.ts';
import { FolderBlobs } from '../platform/blobs/index.ts';
import { checkBlobs, joinNodes, openEmbedder, openMedia, type Service, type Work } from '../service/index.ts';
import { seenPictures } from '../vectors/index.ts';
import type { Pictures } from './pictures.ts';
import { isToBeRated, usableMode } from './rating-mode.ts';

export interface Task {
  onProgress: OnProgress;
  signal: AbortSignal;
  /** If true, the work ends as soon as all GIFs can be found. The next process does the remaining steps. */
  searchableOnly?: boolean;
  /**
   * If given, the task waits for another process that writes, instead of failing. The function is called once with the
   * holder of the lock.
   */
  onWait?: (holder: string) => void;
  /**
   * Whether the task stops as soon as another process waits to write to this data folder. The work is continued later.
   */
  givesWay?: boolean;
  /** Sources to ingest, in addition to the sources that are already open. */
  sources?: readonly Source[];
  /** The arguments of `zoetrope add` for adding these sources again. Default: the names of the sources. */
  command?: readonly string[];
}

/** The data and tools that every step needs. */
export interface Workshop extends Pictures {
  service: Service;
  /** Id of this process among all processes that share the catalogue. */
  worker: string;
  task: Task;
  mode: RatingMode;
  embedder: Embedder | undefined;
}

/** A step of the work. Only one process at a time runs it. */
export interface Step {
  readonly name: Work;
  /** @returns whether the step changed anything that responses show */
  run(shop: Workshop): Promise<boolean>;
}

/** Maximum time for joining the list of processes. */
const JOIN_MS = 30_000;

/** Opens the workshop for the steps. Disposing of `begun` closes the workshop. */
export async function openWorkshop(service: Service, task: Task, begun: AsyncDisposableStack): Promise<Workshop> {
  const { config, log, blobs, store } = service;
  const { db } = store;
  const room = log.child({ room: 'enrich' });
  await checkBlobs(blobs, log);
  await new FolderBlobs(store.media).sweep(systemClock.now());
  const media = openMedia(service);
  begun.defer(() => media.close());
  const looks = createLooks({ log: room });
  begun.defer(() => looks.close());
  const embedder = await openEmbedder(service, 'lazily');
  begun.defer(async () => embedder?.close());
  const mode = await usableMode(config.enrich.rating, room);
  const presence = joinNodes(service, 'work');
  begun.defer(async () => presence?.stop());
  // Other processes can claim the jobs of a process that is not in the list.
  if (presence)
    await within(
      JOIN_MS,
      presence.joined,
      () =>
        new OperatorError(
          'The PostgreSQL database (ZOETROPE_DATABASE_URL) does not respond, or its table nodes cannot be written',
        ),
    );
  const worker = presence?.id ?? randomUUID();
  return {
    ...{ service, worker, task, db, media, blobs, looks, embedder, mode },
    seen: await seenPictures(db),
    isRated: (gif) => isToBeRated(db, mode, gif),
  };
}
