import type { Sharp, WebpOptions } from 'sharp';
import { canAnimate } from '../derivatives.ts';
import type { Inspected } from './inspect.ts';
import type { FrameFacts } from './protocol.ts';
import { asRefusal, openFrames } from './render.ts';

const LQIP: WebpOptions = { quality: 20, alphaQuality: 20, effort: 6 };
const LQIP_SIDE = 16;
/**
 * The first frame is reduced to this side length, in pixels, before it is examined. This is about the size of stills.
 */
const STILL_SIDE = 240;
/** A frame with a lower contrast (of at most 255) is blank, because people cannot see anything in it. */
const VISIBLE = 8;
/**
 * Contrast of a frame that can be seen well. A picture that fades in has less contrast at first, and a placeholder of
 * its first frames would look empty.
 */
const CLEAR = 96;
/** Maximum number of pixels in the frames that are examined. Examining them takes about half a second of one core. */
const MAX_EXAMINED_PIXELS = 64_000_000;
/**
 * Number of columns to which frames are reduced before they are compared. Their height is not reduced, because the
 * decoder puts the frames below each other, and scaling the height would mix the pixels of two frames.
 */
const COLUMNS = 32;
/** Maximum number of pixels in the reduced frames, which are all in memory at the same time. */
const MAX_REDUCED_PIXELS = 8_000_000;

/** Decodes frames and returns facts about them. Throws MediaRefusal like `render`. */
export async function readFrameFacts(image: Inspected): Promise<FrameFacts> {
  try {
    const blankStill = !(await firstFrameShowsAnything(image));
    const page = blankStill ? await findShowingFrame(image) : 0;
    return {
      lqip: page === null ? null : await renderLqip(image, page),
      transparent: await hasTransparentPixels(image),
      blankStill,
    };
  } catch (error) {
    throw asRefusal(error);
  }
}

async function firstFrameShowsAnything(image: Inspected): Promise<boolean> {
  const size = { width: STILL_SIDE, height: STILL_SIDE, fit: 'inside', withoutEnlargement: true } as const;
  return contrastOf(await readRgba(openFrames(image, { page: 0, pages: 1 }).resize(size))) >= VISIBLE;
}

/**
 * Returns the first frame whose contrast is CLEAR, or at least half of the highest contrast. If all frames are blank,
 * returns the first frame with pixels that are not fully transparent, or null if there is none.
 */
async function findShowingFrame(image: Inspected): Promise<number | null> {
  const { width: whole, height } = image.painted;
  const width = Math.min(COLUMNS, whole);
  const pages = Math.min(examinedFrames(image), atLeastOne(MAX_REDUCED_PIXELS / (width * height)));
  const rgba = await readRgba(openFrames(image, { page: 0, pages }).resize({ width, height, fit: 'fill' }));
  const bytes = rgba.length / pages;
  const contrasts = Array.from({ length: pages }, (_, page) =>
    contrastOf(rgba.subarray(page * bytes, (page + 1) * bytes)),
  );
  const highest = Math.max(...contrasts);
  const enough = highest < VISIBLE ? 0 : Math.min(CLEAR, highest / 2);
  const found = contrasts.findIndex((contrast) => contrast >= enough);
  return found < 0 ? null : found;
}

/**
 * Returns the largest difference between two pixels in red, green, blue or alpha, from 0 to 255. Colours are multiplied
 * by their alpha. Returns -1 if all pixels are fully transparent.
 */
function contrastOf(rgba: Uint8Array): number {
  const lowest = [255, 255, 255, 255];
  const highest = [0, 0, 0, 0];
  for (let at = 0; at < rgba.length; at += 4) {
    const alpha = rgba[at + 3]!;
    for (let channel = 0; channel < 4; channel++) {
      const value = channel === 3 ? alpha : (rgba[at + channel]! * alpha) / 255;
      if (value < lowest[channel]!) lowest[channel] = value;
      if (value > highest[channel]!) highest[channel] = value;
    }
  }
  if (highest[3] === 0) return -1;
  return Math.max(...highest.map((value, channel) => value - lowest[channel]!));
}

/** Renders a tiny blurred placeholder of a frame, as a data URI. */
async function renderLqip(image: Inspected, page: number): Promise<string> {
  const webp = await openFrames(image, { page, pages: 1 })
    .resize({ width: LQIP_SIDE, height: LQIP_SIDE, fit: 'inside' })
    .webp(LQIP)
    .toBuffer();
  return `data:image/webp;base64,${webp.toString('base64')}`;
}

/** Returns whether an examined frame has a pixel that is not opaque, or whether the frames do not fill the canvas. */
async function hasTransparentPixels(image: Inspected): Promise<boolean> {
  const { painted, width, height, hasAlpha } = image;
  if (painted.width < width || painted.height < height) return true;
  if (!hasAlpha) return false;
  const alpha = openFrames(image, { page: 0, pages: examinedFrames(image) }).extractChannel('alpha');
  return (await alpha.raw().toBuffer()).some((value) => value < 255);
}

/**
 * Returns the number of frames to examine. Decoding a late frame costs as much as decoding an animation, so the limits
 * of animations apply.
 */
function examinedFrames(image: Inspected): number {
  if (!canAnimate(image, image)) return 1;
  return Math.min(image.frames, atLeastOne(MAX_EXAMINED_PIXELS / (image.painted.width * image.painted.height)));
}

function atLeastOne(frames: number): number {
  return Math.max(1, Math.floor(frames));
}

function readRgba(frames: Sharp): Promise<Uint8Array> {
  return frames.toColourspace('srgb').ensureAlpha().raw().toBuffer();
}
