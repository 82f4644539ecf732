import sharp, { type Sharp, type WebpOptions } from 'sharp';
import { canAnimate, type Size } from '../derivatives.ts';
import { MediaRefusal } from '../refusal.ts';
import type { Target } from '../source.ts';
import { firstLine, type Inspected } from './inspect.ts';

/**
 * Effort 2 takes 42 % of the time of the encoder's default, and the result has 4 % more bytes. With alpha at full
 * quality, most of the bytes would be alpha.
 */
const LOSSY: WebpOptions = { quality: 70, effort: 2, alphaQuality: 60 };
const LOSSLESS: WebpOptions = { lossless: true, effort: 2 };
/**
 * Images with at most this number of pixels in all frames together are also encoded losslessly, because flat art that
 * is not scaled is often smaller this way. With more pixels, the second encoding is too slow.
 */
const MAX_LOSSLESS_PIXELS = 2_000_000;
const STILL = { palette: true, quality: 80, effort: 4 };
/** Input size of the network that describes frames, in pixels. */
const FRAME = { width: 224, height: 224 };
/** The encoder's longest delay, in milliseconds. */
const MAX_DELAY_MS = 65_535;
/**
 * Wall-clock limit for a decoder that hangs. Usually, the service ends such a worker earlier, because of its CPU time.
 */
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
 * Renders frames at the given places of the animation (0 is the start, 1 the end) as RGB pixels on white. Throws
 * MediaRefusal like `render`.
 */
export async function renderFrames(
  image: Inspected,
  places: readonly number[],
  size: Size = FRAME,
): Promise<Uint8Array> {
  // Decoding a late frame costs as much as decoding an animation, so the limits of animations apply.
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

/** Opens consecutive frames of an image, starting with frame `page`. The decoder puts the frames below each other. */
export function openFrames(image: Inspected, pages: { page: number; pages: number }): Sharp {
  // Of a truncated file, only the frames that the walker has counted are read.
  return sharp(image.bytes, { ...pages, failOn: 'none', limitInputPixels: MAX_DECODED_PIXELS }).timeout({
    seconds: TIMEOUT_SECONDS,
  });
}

/** Opens consecutive frames in another size. If the decoder's canvas is smaller than the image, the rest is transparent. */
export function fitted(image: Inspected, size: Size, pages: { page: number; pages: number }): Sharp {
  const { painted } = image;
  const width = part(size.width, painted.width, image.width);
  const height = part(size.height, painted.height, image.height);
  const source = openFrames(image, pages);
  const resized =
    width === painted.width && height === painted.height ? source : source.resize({ width, height, fit: 'fill' });
  if (width === size.width && height === size.height) return resized;
  const background = { r: 0, g: 0, b: 0, alpha: 0 };
  return resized.extend({ right: size.width - width, bottom: size.height - height, background });
}

function part(side: number, painted: number, whole: number): number {
  return painted === whole ? side : Math.max(1, Math.round((side * painted) / whole));
}

/** Returns the refusal for an error of the decoder. */
export function asRefusal(error: unknown): MediaRefusal {
  const line = firstLine(error);
  const options = { cause: error };
  if (/^timeout/i.test(line)) {
    return new MediaRefusal('timed_out', `a preview took longer than ${TIMEOUT_SECONDS} s`, options);
  }
  return new MediaRefusal('broken_frames', `a frame cannot be decoded: ${line}`, options);
}
