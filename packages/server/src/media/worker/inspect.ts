import sharp from 'sharp';
import type { Size } from '../derivatives.ts';
import { MediaRefusal } from '../refusal.ts';
import { durationOf, walk } from '../walker/probe.ts';
import type { Facts, Limits } from './protocol.ts';

/** A file that both walker and decoder can read. */
export interface Inspected extends Facts {
  readonly bytes: Uint8Array;
  /** Milliseconds for each frame. */
  readonly delays: readonly number[];
  /**
   * The size of the canvas that the decoder paints. The decoder reduces some canvases to the size of the first frame.
   */
  readonly painted: Size;
  /** Whether the decoder's pixels have alpha. Without alpha, all pixels are opaque. */
  readonly hasAlpha: boolean;
}

/**
 * Walks a file and compares the result with that of the decoder, without decoding any pixels. Throws MediaRefusal. The
 * result has the larger of the two widths, and the larger of the two heights.
 */
export async function inspect(bytes: Uint8Array, limits: Pixels): Promise<Inspected> {
  const walked = walk(bytes);
  checkPixels({ ...walked, frames: walked.delays.length }, limits);
  const decoder = await secondOpinion(bytes);
  checkAgreement(walked, decoder);
  const width = Math.max(walked.width, decoder.width);
  const height = Math.max(walked.height, decoder.height);
  const delays = walked.delays.slice(0, decoder.frames);
  checkPixels({ width, height, frames: delays.length }, limits);
  return {
    format: walked.format,
    width,
    height,
    frames: delays.length,
    durationMs: durationOf(delays),
    truncated: walked.truncated,
    bytes,
    delays,
    painted: { width: decoder.width, height: decoder.height },
    hasAlpha: decoder.hasAlpha,
  };
}

type Pixels = Pick<Limits, 'maxCanvasPixels' | 'maxTotalPixels'>;

function checkPixels({ width, height, frames }: Size & { frames: number }, limits: Pixels): void {
  if (width * height > limits.maxCanvasPixels) {
    const message = `width x height is ${width} x ${height}; the maximum is ${limits.maxCanvasPixels} pixels`;
    throw new MediaRefusal('canvas_too_large', message);
  }
  if (width * height * frames > limits.maxTotalPixels) {
    const sum = `width x height x frames is ${width} x ${height} x ${frames}`;
    throw new MediaRefusal('too_many_pixels', `${sum}; the maximum is ${limits.maxTotalPixels} pixels`);
  }
}

async function secondOpinion(bytes: Uint8Array): Promise<Size & { frames: number; hasAlpha: boolean }> {
  try {
    // The decoder's own limit counts the pixels of all frames, but this service uses only the first frame of large
    // files.
    const found = await sharp(bytes, { pages: -1, failOn: 'none', limitInputPixels: false }).metadata();
    const { width, pageHeight, height, pages, hasAlpha } = found;
    return { width, height: pageHeight ?? height, frames: pages ?? 1, hasAlpha };
  } catch (error) {
    throw new MediaRefusal('unreadable', `the decoder cannot read the file: ${firstLine(error)}`, { cause: error });
  }
}

/**
 * Throws if walker and decoder find very different images in one file, because such files are crafted to deceive one of
 * the two.
 */
function checkAgreement(walked: Size & { delays: readonly number[] }, decoder: Size & { frames: number }): void {
  const pairs = [
    ['width', walked.width, decoder.width],
    ['height', walked.height, decoder.height],
    ['frames', walked.delays.length, decoder.frames],
  ] as const;
  for (const [field, declared, decoded] of pairs) {
    if (decoded <= declared * 2 && declared <= decoded * 2) continue;
    const message = `${field} is ${declared} in the file and ${decoded} when decoded; they may differ by at most a factor of 2`;
    throw new MediaRefusal('sizes_disagree', message);
  }
}

export function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split('\n', 1)[0]!.slice(0, 200);
}
