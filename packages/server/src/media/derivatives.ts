import { ID_PATTERN, LIMITS } from '@zoetrope/contract/limits';
import { RECIPE } from './recipe.ts';

/** The four fits of the specification. Every GIF has a preview in each fit. */
export const FITS = ['small', 'medium', 'w240', 'w480'] as const;
export type Fit = (typeof FITS)[number];
/** The fits that also have an MP4. */
export type VideoFit = 'w240';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** `animated` is false if only a still is made. */
export interface PreviewSize extends Size {
  readonly animated: boolean;
}

/** Maximum size of each fit, in pixels. Previews for rows are fitted by height, and previews for columns by width. */
const BOUNDS: Record<Fit, { height: number } | { width: number }> = {
  small: { height: LIMITS.previewSmallHeight },
  medium: { height: LIMITS.previewMediumHeight },
  w240: { width: LIMITS.previewW240Width },
  w480: { width: LIMITS.previewW480Width },
};

/**
 * Limits for animated previews. The limits are not settings, because a URL that was published as an animation must stay
 * an animation. 300 megapixels take about 3 s of one core. WebP allows no side longer than 16,383 px.
 */
const MAX_ANIMATED_PIXELS = 300_000_000;
const MAX_ANIMATED_FRAMES = 2000;
const MAX_WEBP_SIDE = 16_383;

/**
 * Returns the sizes of an image's four previews, in pixels. The image is fitted and never enlarged. Each side has at
 * least 1 px. If the number of frames is unknown, the function assumes that the image can be animated.
 */
export function previewSizes(image: Size & { readonly frames: number | null }): Record<Fit, PreviewSize> {
  const fit = (name: Fit): PreviewSize => {
    const size = fitted(image, BOUNDS[name]);
    return { ...size, animated: canAnimate(image, size) };
  };
  return { small: fit('small'), medium: fit('medium'), w240: fit('w240'), w480: fit('w480') };
}

/** Returns whether an image is animated at a size. */
export function canAnimate(image: Size & { readonly frames: number | null }, size: Size): boolean {
  const frames = image.frames ?? 1;
  const affordable = frames <= MAX_ANIMATED_FRAMES && image.width * image.height * frames <= MAX_ANIMATED_PIXELS;
  return affordable && size.width <= MAX_WEBP_SIDE && size.height <= MAX_WEBP_SIDE;
}

function fitted({ width, height }: Size, bound: { height: number } | { width: number }): Size {
  if ('height' in bound) {
    return height <= bound.height
      ? { width, height }
      : { width: scaled(width, bound.height, height), height: bound.height };
  }
  return width <= bound.width ? { width, height } : { width: bound.width, height: scaled(height, bound.width, width) };
}

function scaled(side: number, to: number, from: number): number {
  return Math.max(1, Math.round((side * to) / from));
}

const { mp4MaxFrames, mp4MaxSeconds, mp4DimensionLimit } = LIMITS;

/**
 * Returns whether an animation gets an MP4 according to the limits of the specification. Returns false if the
 * animation's size or length is unknown.
 */
export function mp4Allowed(image: {
  readonly width: number;
  readonly height: number;
  readonly frames: number | null;
  readonly durationMs: number | null;
}): boolean {
  const { width, height, frames, durationMs } = image;
  if (frames === null || durationMs === null) return false;
  const isShort = frames > 1 && frames <= mp4MaxFrames && durationMs <= 1_000 * mp4MaxSeconds;
  return isShort && width < mp4DimensionLimit && height < mp4DimensionLimit;
}

export const MEDIA_FORMATS = ['gif', 'webp'] as const;
export type MediaFormat = (typeof MEDIA_FORMATS)[number];
export type DerivativeKind = 'animated' | 'still' | 'video';

/** One of the eight preview images of a GIF. */
export interface Preview {
  readonly fit: Fit;
  readonly kind: 'animated' | 'still';
}

/** An MP4 in the size of the original, or in the size of the preview with that fit. */
export interface Video {
  readonly kind: 'video';
  readonly fit?: VideoFit;
}

/** The MP4s that a GIF can have. */
export const VIDEOS: readonly Video[] = [{ kind: 'video' }, { kind: 'video', fit: 'w240' }];

/** A file made from an original. */
export type Derivative = Preview | Video;

export type MediaPath =
  | { readonly type: 'original'; readonly sha256: string; readonly format: MediaFormat }
  | { readonly type: 'blob'; readonly sha256: string }
  | { readonly type: 'derivative'; readonly recipe: string; readonly derivative: Derivative; readonly id: string };

const ID = new RegExp(ID_PATTERN);
const ORIGINAL = /^\/m\/([0-9a-f]{64})\.(gif|webp)$/;
/** The path of Blossom (BUD-01), which contains only the hash of an original. The file extension is ignored. */
const BLOB = /^\/([0-9a-f]{64})(?:\.[a-z0-9]{1,8})?$/;
const PREVIEW = /^\/p\/(r\d{1,6})\/(\w+)\/([\w.~-]+)\.(gif|png)$/;
const VIDEO = /^\/v\/(r\d{1,6})\/(?:(w240)\/)?([\w.~-]+)\.mp4$/;

/** Returns the path of a stored original. */
export function originalPath(sha256: string, format: MediaFormat): string {
  return `/m/${sha256}.${format}`;
}

/**
 * Returns a GIF's id without its ending `.gif`, for paths with another ending or none. Any other id is marked by `~`, which
 * no id contains.
 */
export function nameOfId(id: string): string {
  return id.endsWith('.gif') ? id.slice(0, -4) : `${id}~`;
}

/** Returns the id for a name in a path, or null if the name is invalid. */
export function idOfName(name: string): string | null {
  const id = name.endsWith('~') ? name.slice(0, -1) : `${name}.gif`;
  return !ID.test(id) || (name.endsWith('~') && id.endsWith('.gif')) ? null : id;
}

/**
 * Returns the path of a derivative. Animations end in `.gif` although they are WebP, because clients recognise GIFs by
 * this ending.
 */
export function derivativePath(id: string, derivative: Derivative): string {
  const name = nameOfId(id);
  if (derivative.kind === 'video') return `/v/${RECIPE}/${derivative.fit ? `${derivative.fit}/` : ''}${name}.mp4`;
  return `/p/${RECIPE}/${derivative.fit}/${name}.${derivative.kind === 'animated' ? 'gif' : 'png'}`;
}

/** Parses a path. Returns null if the path is not a path of this service's media. The path can have an older recipe. */
export function parseMediaPath(path: string): MediaPath | null {
  const original = ORIGINAL.exec(path);
  if (original !== null) return { type: 'original', sha256: original[1]!, format: original[2] as MediaFormat };
  const blob = BLOB.exec(path);
  if (blob !== null) return { type: 'blob', sha256: blob[1]! };
  const video = VIDEO.exec(path);
  if (video !== null) {
    const fit = video[2] as VideoFit | undefined;
    return derivativeOf(video[1]!, video[3]!, { kind: 'video', ...(fit && { fit }) });
  }
  const [, recipe, fit, name, ending] = PREVIEW.exec(path) ?? [];
  if (recipe === undefined || !isFit(fit!)) return null;
  return derivativeOf(recipe, name!, { fit, kind: ending === 'gif' ? 'animated' : 'still' });
}

function derivativeOf(recipe: string, name: string, derivative: Derivative): MediaPath | null {
  const id = idOfName(name);
  return id === null ? null : { type: 'derivative', recipe, derivative, id };
}

function isFit(name: string): name is Fit {
  return (FITS as readonly string[]).includes(name);
}
