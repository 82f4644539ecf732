import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { type Candidate, InputRefusal, type LinkedGif } from './candidate.ts';
import { parseRow, toCandidate, toLinkedGif } from './manifest-row.ts';

/** What one line of a manifest turned out to be. */
export type ManifestEntry =
  | { line: number; candidate: Candidate }
  | { line: number; linked: LinkedGif }
  | { line: number; refusal: InputRefusal };

/** A line longer than this is no manifest line; reading on would only fill memory. */
const MAX_LINE = 1_000_000;

/**
 * Reads a manifest (JSON Lines, plain or gzip) from the line after `afterLine` on. A wrong line becomes a refusal
 * and the rest goes on; a
 * file that cannot be read to its end throws an InputRefusal after what could be read.
 */
export async function* readManifest(manifest: string, afterLine = 0): AsyncGenerator<ManifestEntry> {
  const raw = fs.createReadStream(manifest);
  const input = manifest.endsWith('.gz') ? raw.pipe(createGunzip()) : raw;
  let line = 0;
  for await (const text of linesOf(input, raw, manifest)) {
    line++;
    if (line > afterLine && text.trim() !== '') yield { line, ...readLine(text, manifest) };
  }
}

/** The lines of a stream. A readline interface alone would end quietly where its input breaks off. */
async function* linesOf(input: Readable, raw: Readable, manifest: string): AsyncGenerator<string> {
  const broken = Promise.withResolvers<never>();
  broken.promise.catch(() => {});
  for (const stream of new Set([input, raw])) {
    stream.on('error', ({ message }: Error) =>
      broken.reject(new InputRefusal('unreadable_source', `${manifest} breaks off: ${message}`)),
    );
  }
  const lines = readline.createInterface({ input, crlfDelay: Infinity })[Symbol.asyncIterator]();
  for (;;) {
    const next = await Promise.race([lines.next(), broken.promise]);
    if (next.done) return;
    yield next.value;
  }
}

function readLine(text: string, manifest: string) {
  try {
    if (text.length > MAX_LINE) throw new InputRefusal('too_long', `the line has over ${MAX_LINE} characters`);
    const row = parseRow(text.replace(/^\uFEFF/, ''));
    const { file, url } = row;
    const isThere = file !== undefined && fs.existsSync(path.resolve(path.dirname(manifest), file));
    // A file that is not there is no reason to lose a GIF whose address is known.
    if (url !== undefined && !isThere) return { linked: toLinkedGif({ ...row, url }, manifest) };
    return { candidate: toCandidate({ ...row, file: file! }, manifest) };
  } catch (error) {
    if (error instanceof InputRefusal) return { refusal: error };
    throw error;
  }
}
