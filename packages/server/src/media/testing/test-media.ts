import pino from 'pino';
import { Value } from 'typebox/value';
import { MediaConfig } from '../config.ts';
import type { Fit } from '../derivatives.ts';
import { createMedia, type Ingested, type Media } from '../media.ts';
import type { MediaOptions } from '../options.ts';
import { type DerivativeFile, derivativeFile, type MediaSource } from '../source.ts';
import { MemoryBlobs } from './memory-blobs.ts';

export interface TestMedia {
  readonly media: Media;
  readonly blobs: MemoryBlobs;
  /** Clock in milliseconds since the Unix epoch. Tests move the clock forward. */
  readonly clock: { time: number; now(): number };
}

/** Creates media with real workers and a store in memory. Downloads need a fetcher. */
export function createTestMedia(options: Partial<MediaOptions> = {}): TestMedia {
  const blobs = new MemoryBlobs();
  const clock = { time: 0, now: () => clock.time };
  const refuse = () => Promise.reject(new Error('a test downloaded something'));
  const fetcher = { download: refuse, probe: refuse, beginning: refuse };
  const config = testConfig();
  return { media: createMedia({ blobs, fetcher, config, log: silentLog(), clock, ...options }), blobs, clock };
}

/** Returns the default settings, except that http is allowed for test servers. */
export function testConfig(changes: Partial<MediaConfig> = {}): MediaConfig {
  return { ...(Value.Default(MediaConfig, {}) as MediaConfig), linkedHttp: 'show', ...changes };
}

export function silentLog(): pino.Logger {
  return pino({ level: 'silent' });
}

/** Returns the source of an ingested file. */
export function localSource(facts: Ingested): MediaSource {
  const { format, width, height, frames, durationMs, sha256 } = facts;
  return { id: `${sha256}.gif`, format, width, height, frames, durationMs, sha256, url: null };
}

/** Returns the file of a derivative, which must exist. */
export function fileFor(source: MediaSource, fit: Fit, kind: 'animated' | 'still'): DerivativeFile {
  const file = derivativeFile(source, { fit, kind });
  if (file === null) throw new Error(`there is no ${kind} ${fit}`);
  return file;
}
