import type { MediaFormat, Size } from '../derivatives.ts';
import { sniff } from './probe.ts';
import { OutOfBytes, unreadable } from './walk.ts';
import { measureGif } from './walk-gif.ts';
import { measureWebp } from './walk-webp.ts';

/** Returns format and canvas of a file from its first bytes. Throws MediaRefusal if these bytes are not enough. */
export function measure(start: Uint8Array): Size & { readonly format: MediaFormat } {
  const format = sniff(start);
  try {
    const { width, height } = format === 'gif' ? measureGif(start) : measureWebp(start);
    if (width * height === 0) throw unreadable('header');
    return { format, width, height };
  } catch (error) {
    if (error instanceof OutOfBytes) throw unreadable('header');
    throw error;
  }
}
