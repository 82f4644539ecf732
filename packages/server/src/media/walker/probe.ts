import type { MediaFormat } from '../derivatives.ts';
import { MediaRefusal } from '../refusal.ts';
import { latin1, type Walk } from './walk.ts';
import { walkGif } from './walk-gif.ts';
import { walkWebp } from './walk-webp.ts';

/** Returns the format from the first bytes, because names and content types are only claims. Throws MediaRefusal. */
export function sniff(bytes: Uint8Array): MediaFormat {
  const start = latin1(bytes, 0, 12);
  if (/^GIF8[79]a/.test(start)) return 'gif';
  if (/^RIFF[\s\S]{4}WEBP/.test(start)) return 'webp';
  if (bytes.length < 12) throw new MediaRefusal('unreadable', `the file has ${bytes.length} bytes and is not an image`);
  throw new MediaRefusal('wrong_type', 'the file is neither a GIF nor a WebP');
}

/** Reads a file's structure. Takes linear time and throws only MediaRefusal. */
export function walk(bytes: Uint8Array): Walk {
  return sniff(bytes) === 'gif' ? walkGif(bytes) : walkWebp(bytes);
}

export function durationOf(delays: readonly number[]): number {
  return delays.reduce((sum, delay) => sum + delay, 0);
}
