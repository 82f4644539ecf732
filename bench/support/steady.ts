import { setTimeout as sleep } from 'node:timers/promises';
import { writeManifest } from '../../test/support/catalogue.ts';
import type { Server } from '../../test/support/server.ts';
import { corpusDocument, mixedQuery } from './corpus.ts';
import { percentile } from './measure.ts';

const DOCUMENTS = 50_000;
const PER_SECOND = 50;

let asked = 0;

/** Writes a manifest of synthetic linked GIFs. @returns its path */
export function writeCorpus(file: string): string {
  const rows = Array.from({ length: DOCUMENTS }, (_, n) => {
    const { characters, ...document } = corpusDocument(n);
    return { ...document, character: characters };
  });
  return writeManifest(file, rows);
}

/** Latencies, in milliseconds. */
export interface Asked {
  p50: number;
  p99: number;
  latencies: number[];
}

/**
 * Sends uncached text searches at a steady rate. Each search is sent at a fixed time, even if the service is slow, and
 * its latency is measured from that time. @param until if given, the load continues after `seconds` until this promise
 * settles
 */
export async function askSteadily(server: Server, seconds: number, until?: Promise<unknown>): Promise<Asked> {
  const latencies: number[] = [];
  const open: Promise<void>[] = [];
  const start = performance.now();
  let isOpen = until !== undefined;
  void until?.then(() => {
    isOpen = false;
  });
  for (let n = 0; isOpen || n < seconds * PER_SECOND; n++) {
    const due = start + (n * 1000) / PER_SECOND;
    await sleep(Math.max(0, due - performance.now()));
    const query = encodeURIComponent(`${mixedQuery(asked++)} ${asked}`);
    const done = server.get(`/api/v1/search?q=${query}&mode=text`).then(async (answer) => {
      await answer.arrayBuffer();
      latencies.push(performance.now() - due);
    });
    open.push(done);
  }
  await Promise.all(open);
  latencies.sort((a, b) => a - b);
  return { p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99), latencies };
}

/**
 * Returns the ratio of the p99 of busy rounds to that of idle rounds. The p99 is computed over all rounds together,
 * because one round has only a few hundred searches.
 */
export function ratioOfP99(busy: readonly Asked[], idle: readonly Asked[]): number {
  const [ofBusy, ofIdle] = [busy, idle].map((rounds) => {
    const all = rounds.flatMap(({ latencies }) => latencies);
    return percentile(
      all.sort((a, b) => a - b),
      0.99,
    );
  }) as [number, number];
  return ofBusy / ofIdle;
}
