import sharp, { type Sharp, type WebpOptions } from 'sharp';
import { canAnimate, type Size } from '../derivatives.ts';
import { MediaRefusal } from '../refusal.ts';
import type { Target } from '../source.ts';
import { firstLine, type Inspected } from './inspect.ts';

/**
 * Effort 2 takes 42 % of the time of the encoder's default, and the result has 4 % more bytes. At full quality, alpha
 * would dominate the size.
 */
const LOSSY: WebpOptions = { quality: 70, effort: 2, alphaQuality: 60 };
const LOSSLESS: WebpOptions = { lossless: true, effort: 2 };
/**
 * Maximum number of pixels in all frames together for a second attempt with lossless encoding. Flat art that is not
 * scaled is often smaller with lossless encoding. With more pixels, the second attempt is too slow.
 */
const MAX_LOSSLESS_PIXELS = 2_000_000;
const STILL = { palette: true, quality: 80, effort: 4 };
const LQIP: WebpOptions = { quality: 20, alphaQuality: 20, effort: 6 };
const LQIP_SIDE = 16;
/** Input size of the network that describes frames, in pixels. */
const FRAME = { width: 224, height: 224 };
/** The encoder's longest delay, in milliseconds. */
const MAX_DELAY_MS = 65_535;
/** Wall-clock limit for a decoder that hangs. Usually the service ends a worker earlier, because of its CPU time. */
const TIMEOUT_SECONDS = 300;
const MAX_DECODED_PIXELS = 400_000_000;

/** Renders one preview. Throws MediaRefusal if a frame cannot be decoded. */
export async function render(image: Inspected, target: Target, size: Size): Promise<Uint8Array> {
  try {
    return target.kind === 'still' ? await renderStill(image, size) : await renderAnimated(image, size);
  } catch (error) {
    throw asRefusal(error);
  }
}

async function renderAnimated(image: Inspected, size: Size): Promise<Uint8Array> {
  const delay = image.delays.map((ms) => Math.min(ms, MAX_DELAY_MS));
  const encode = (options: WebpOptions): Promise<Uint8Array> =>
    fitted(image, size, { page: 0, pages: image.frames })
      .webp({ ...options, loop: 0, delay })
      .toBuffer();
  const lossy = await encode(LOSSY);
  const sameSize = size.width === image.width && size.height === image.height;
  if (!sameSize || image.width * image.height * image.frames > MAX_LOSSLESS_PIXELS) return lossy;
  const lossless = await encode(LOSSLESS);
  return lossless.length < lossy.length ? lossless : lossy;
}

function renderStill(image: Inspected, size: Size): Promise<Uint8Array> {
  return fitted(image, size, { page: 0, pages: 1 }).png(STILL).toBuffer();
}

/**
 * Returns a tiny blurred placeholder as a data URI, from the first non-blank frame of the first two and the middle one,
 * or null if all these frames are blank. Throws MediaRefusal like `render`.
 */
export async function renderLqip(image: Inspected): Promise<string | null> {
  try {
    // Decoding a late frame costs as much as an animation, so the same limits apply.
    const middle = canAnimate(image, image) ? Math.floor(image.frames / 2) : 0;
    const candidates = [0, 1, middle].filter((page) => page < image.frames);
    for (const page of new Set(candidates)) {
      const { data, info } = await open(image, { page, pages: 1 })
        .resize({ width: LQIP_SIDE, height: LQIP_SIDE, fit: 'inside' })
        .ensureAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true });
      if (!showsAnything(data)) continue;
      const raw = { width: info.width, height: info.height, channels: 4 as const };
      const webp = await sharp(data, { raw }).webp(LQIP).toBuffer();
      return `data:image/webp;base64,${webp.toString('base64')}`;
    }
    return null;
  } catch (error) {
    throw asRefusal(error);
  }
}

/**
 * Renders frames at the given places of the animation (0 is the start, 1 the end) as RGB pixels on white. Throws
 * MediaRefusal like `render`.
 */
export async function renderFrames(
  image: Inspected,
  places: readonly number[],
  size: Size = FRAME,
): Promise<Uint8Array> {
  // Decoding a late frame costs as much as an animation, so the same limits apply.
  const last = canAnimate(image, size) ? image.frames - 1 : 0;
  const bytes = size.width * size.height * 3;
  const pixels = new Uint8Array(places.length * bytes);
  const rendered = new Map<number, Uint8Array>();
  try {
    for (const [i, place] of places.entries()) {
      const page = Math.min(last, Math.floor(place * image.frames));
      const frame = rendered.get(page) ?? (await renderFrame(image, page, size));
      rendered.set(page, frame);
      pixels.set(frame, i * bytes);
    }
  } catch (error) {
    throw asRefusal(error);
  }
  return pixels;
}

async function renderFrame(image: Inspected, page: number, size: Size): Promise<Uint8Array> {
  const rgba = await fitted(image, size, { page, pages: 1 }).toColourspace('srgb').ensureAlpha().raw().toBuffer();
  // The background is added in a second step, because sharp adds the background before it extends the frame.
  return sharp(rgba, { raw: { width: size.width, height: size.height, channels: 4 } })
    .flatten({ background: '#fff' })
    .raw()
    .toBuffer();
}

function showsAnything(rgba: Uint8Array): boolean {
  for (let at = 3; at < rgba.length; at += 4) if (rgba[at] !== 0) return true;
  return false;
}

function open(image: Inspected, pages: { page: number; pages: number }): Sharp {
  // Only the complete frames of a truncated file are read. The walker has counted these frames.
  return sharp(image.bytes, { ...pages, failOn: 'none', limitInputPixels: MAX_DECODED_PIXELS }).timeout({
    seconds: TIMEOUT_SECONDS,
  });
}

function fitted(image: Inspected, size: Size, pages: { page: number; pages: number }): Sharp {
  const { painted } = image;
  const width = part(size.width, painted.width, image.width);
  const height = part(size.height, painted.height, image.height);
  const source = open(image, pages);
  const resized =
    width === painted.width && height === painted.height ? source : source.resize({ width, height, fit: 'fill' });
  if (width === size.width && height === size.height) return resized;
  const background = { r: 0, g: 0, b: 0, alpha: 0 };
  return resized.extend({ right: size.width - width, bottom: size.height - height, background });
}

function part(side: number, painted: number, whole: number): number {
  return painted === whole ? side : Math.max(1, Math.round((side * painted) / whole));
}

function asRefusal(error: unknown): MediaRefusal {
  const line = firstLine(error);
  const options = { cause: error };
  if (/^timeout/i.test(line)) {
    return new MediaRefusal('timed_out', `a preview took longer than ${TIMEOUT_SECONDS} s`, options);
  }
  return new MediaRefusal('broken_frames', `a frame cannot be decoded: ${line}`, options);
}
