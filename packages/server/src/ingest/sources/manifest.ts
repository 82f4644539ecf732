import fs from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { type Candidate, InputRefusal, type LinkedGif } from '../candidate.ts';
import { parseRow, toCandidate, toLinkedGif } from './manifest-row.ts';
import { openFile } from './open-file.ts';

/** The result of reading one line of a manifest. */
export type ManifestEntry =
  | { line: number; candidate: Candidate }
  | { line: number; linked: LinkedGif }
  | { line: number; refusal: InputRefusal };

/**
 * Maximum length of a line. No valid manifest has longer lines, and the rest of a longer line would only fill memory.
 */
const MAX_LINE = 1_000_000;

/**
 * Reads a manifest (JSON Lines, plain or gzip), starting after line `afterLine`. An invalid line is reported as refused
 * and does not stop reading. If the file cannot be read to its end, throws an InputRefusal that names the last readable
 * line, after yielding that line.
 */
export async function* readManifest(manifest: string, afterLine = 0): AsyncGenerator<ManifestEntry> {
  let line = 0;
  for await (const text of linesOf(manifest)) {
    line++;
    if (line > afterLine && text.trim() !== '') yield { line, ...readLine(text, manifest) };
  }
}

/** Yields the lines of a file. A line that is too long is cut to save memory. */
async function* linesOf(manifest: string): AsyncGenerator<string> {
  const raw = await openManifest(manifest);
  const input = manifest.endsWith('.gz') ? raw.pipe(createGunzip()) : raw;
  raw.on('error', (error) => input.destroy(error));
  let rest = '';
  let read = 0;
  try {
    for await (const chunk of input.setEncoding('utf8')) {
      const lines = (chunk as string).split('\n');
      lines[0] = rest.length > MAX_LINE ? rest : rest + lines[0];
      rest = lines.pop()!;
      read += lines.length;
      yield* lines;
    }
  } catch (error) {
    const message = `the file ends unexpectedly after line ${read}: ${(error as Error).message}`;
    throw new InputRefusal('unreadable_source', message);
  } finally {
    raw.destroy();
  }
  yield rest;
}

async function openManifest(manifest: string): Promise<Readable> {
  try {
    return (await openFile(manifest)).createReadStream();
  } catch (error) {
    if (!(error instanceof InputRefusal)) throw error;
    throw new InputRefusal('unreadable_source', error.message);
  }
}

function readLine(text: string, manifest: string) {
  try {
    if (text.length > MAX_LINE) throw new InputRefusal('too_long', `the line has more than ${MAX_LINE} characters`);
    const row = parseRow(text.replace(/^\uFEFF/, ''));
    const { file, url } = row;
    const isThere = file !== undefined && fs.existsSync(path.resolve(path.dirname(manifest), file));
    // If the file is missing but the URL is known, the GIF is still useful.
    if (url !== undefined && !isThere) return { linked: toLinkedGif({ ...row, url }, manifest) };
    return { candidate: toCandidate({ ...row, file: file! }, manifest) };
  } catch (error) {
    if (error instanceof InputRefusal) return { refusal: error };
    throw error;
  }
}
