import { systemClock } from '../base/clock.ts';
import { recordUsage, type UsageTable } from '../registry/index.ts';
import type { Service } from '../service/index.ts';

export interface UsageDesk {
  write(rows: UsageTable[]): void;
  /** Resolves when all that was handed over is written. */
  settled(): Promise<void>;
}

/** Writes what threads count of clients' requests, one after the other; what cannot be written is lost. */
export function openUsageDesk({ registry, log }: Pick<Service, 'registry' | 'log'>): UsageDesk {
  let writing = Promise.resolve();
  return {
    write(rows) {
      writing = writing
        .then(() => registry.ready())
        .then(() => recordUsage(registry.db, rows, systemClock.now()))
        .catch((error) => log.warn({ err: error }, 'counts of requests were not written'));
    },
    settled: () => writing,
  };
}
