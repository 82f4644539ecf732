import { FITS, type Fit } from './fit.ts';
import { RECIPE } from './recipe.ts';

export type MediaFormat = 'gif' | 'webp';
export type DerivativeKind = 'animated' | 'still' | 'video';

/** One of the eight images that previews are made of. */
export interface Preview {
  readonly fit: Fit;
  readonly kind: 'animated' | 'still';
}

/** A file made of an original. */
export type Derivative = Preview | { readonly kind: 'video' };

export type MediaPath =
  | { readonly type: 'original'; readonly sha256: string; readonly format: MediaFormat }
  | { readonly type: 'derivative'; readonly recipe: string; readonly derivative: Derivative; readonly id: string };

const ID = /^\w[\w.-]{0,199}$/;
const ORIGINAL = /^\/m\/([0-9a-f]{64})\.(gif|webp)$/;
const PREVIEW = /^\/p\/(r\d{1,6})\/(\w+)\/([\w.~-]+)\.(gif|png)$/;
const VIDEO = /^\/v\/(r\d{1,6})\/([\w.~-]+)\.mp4$/;

/** Path of an original that lies here. */
export function originalPath(sha256: string, format: MediaFormat): string {
  return `/m/${sha256}.${format}`;
}

/**
 * Path of a derivative. Animations end in `.gif` though they are WebP, because clients tell images by that ending.
 * An id that ends in `.gif` itself gives it up for the ending; any other id is marked by `~`, which no id holds.
 */
export function derivativePath(id: string, derivative: Derivative): string {
  const name = id.endsWith('.gif') ? id.slice(0, -4) : `${id}~`;
  if (derivative.kind === 'video') return `/v/${RECIPE}/${name}.mp4`;
  return `/p/${RECIPE}/${derivative.fit}/${name}.${derivative.kind === 'animated' ? 'gif' : 'png'}`;
}

/** What a path stands for; null when none of ours looks like it. The recipe may be one of another time. */
export function parseMediaPath(path: string): MediaPath | null {
  const original = ORIGINAL.exec(path);
  if (original !== null) return { type: 'original', sha256: original[1]!, format: original[2] as MediaFormat };
  const video = VIDEO.exec(path);
  if (video !== null) return derivativeOf(video[1]!, video[2]!, { kind: 'video' });
  const [, recipe, fit, name, ending] = PREVIEW.exec(path) ?? [];
  if (recipe === undefined || !isFit(fit!)) return null;
  return derivativeOf(recipe, name!, { fit, kind: ending === 'gif' ? 'animated' : 'still' });
}

function derivativeOf(recipe: string, name: string, derivative: Derivative): MediaPath | null {
  const id = name.endsWith('~') ? name.slice(0, -1) : `${name}.gif`;
  if (!ID.test(id) || (name.endsWith('~') && id.endsWith('.gif'))) return null;
  return { type: 'derivative', recipe, derivative, id };
}

function isFit(name: string): name is Fit {
  return (FITS as readonly string[]).includes(name);
}
