import { recordUsage, type UsageCount } from '../admission/index.ts';
import { systemClock } from '../base/clock.ts';
import type { Service } from '../service/index.ts';

export interface UsageWriter {
  write(rows: UsageCount[]): void;
  /** Returns a promise that resolves when all counts are saved. */
  settled(): Promise<void>;
}

/** Saves the threads' counts of requests, one after another. Counts that cannot be saved are lost. */
export function openUsageWriter({ registry, log }: Pick<Service, 'registry' | 'log'>): UsageWriter {
  let writing = Promise.resolve();
  return {
    write(rows) {
      writing = writing
        .then(() => registry.ready())
        .then(() => recordUsage(registry.db, rows, systemClock.now()))
        .catch((error) => log.warn({ err: error }, 'could not save request counts'));
    },
    settled: () => writing,
  };
}
