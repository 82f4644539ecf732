import { createHash } from 'node:crypto';
import {
  type Derivative,
  type DerivativeKind,
  FITS,
  type Fit,
  type MediaFormat,
  mp4Allowed,
  previewSizes,
  type Size,
  type Video,
  type VideoFit,
} from './derivatives.ts';
import { RECIPE } from './recipe.ts';

/** The data needed to make a GIF's derivatives. */
export interface MediaSource {
  readonly id: string;
  readonly format: MediaFormat;
  /** Width in pixels. For a linked GIF, this is the width in the catalogue. */
  readonly width: number;
  readonly height: number;
  readonly frames: number | null;
  readonly durationMs: number | null;
  /** Hash of the stored original. Null for a linked GIF. */
  readonly sha256: string | null;
  /** URL of a linked GIF's original. */
  readonly url: string | null;
  /** Expected hash of a linked original, if known. */
  readonly expectedSha256?: string | null;
}

/**
 * An image or video to make, with its size in pixels. A video without a fit has the size of the original. A side of a
 * video file can be one pixel longer, because sides of videos are even.
 */
export interface Target extends Size {
  readonly kind: DerivativeKind;
  readonly fit?: VideoFit;
}

export type ContentType = 'image/webp' | 'image/png' | 'video/mp4';

/** The file in which a derivative is stored. Fits with equal sizes share a file. */
export interface DerivativeFile {
  readonly key: string;
  readonly contentType: ContentType;
  readonly target: Target;
}

const FILES: Readonly<Record<DerivativeKind, { ending: string; contentType: ContentType }>> = {
  animated: { ending: 'webp', contentType: 'image/webp' },
  still: { ending: 'png', contentType: 'image/png' },
  video: { ending: 'mp4', contentType: 'video/mp4' },
};

export function originalKey(sha256: string, format: MediaFormat): string {
  return `orig/${sharded(sha256)}.${format}`;
}

/**
 * Returns the file in which a derivative is stored, whether or not the file exists. Returns null if the image is too
 * large for an animation or a video.
 */
export function derivativeFile(source: MediaSource, derivative: Derivative): DerivativeFile | null {
  if (derivative.kind === 'video') return mp4Allowed(source) ? fileOf(source, videoTarget(source, derivative)) : null;
  const size = previewSizes(source)[derivative.fit];
  if (derivative.kind === 'animated' && !size.animated) return null;
  return fileOf(source, { kind: derivative.kind, width: size.width, height: size.height });
}

function videoTarget(source: MediaSource, { fit }: Video): Target {
  const { width, height } = fit ? previewSizes(source)[fit] : source;
  return { kind: 'video', width, height, ...(fit && { fit }) };
}

/** Returns the files of a source's eight preview images, without duplicates. */
export function derivativeFiles(source: MediaSource): DerivativeFile[] {
  return previewTargets(source).map((target) => fileOf(source, target));
}

/** Returns the images to make for the given fits (default: all four), without duplicate sizes. */
export function previewTargets(
  image: Size & { readonly frames: number | null },
  fits: readonly Fit[] = FITS,
): Target[] {
  const sizes = previewSizes(image);
  const targets = new Map<string, Target>();
  for (const fit of fits) {
    const { animated, width, height } = sizes[fit];
    for (const kind of animated ? (['animated', 'still'] as const) : (['still'] as const)) {
      targets.set(`${kind} ${width}x${height}`, { kind, width, height });
    }
  }
  return [...targets.values()];
}

export function fileOf(source: Pick<MediaSource, 'id' | 'sha256' | 'expectedSha256'>, target: Target): DerivativeFile {
  const { ending, contentType } = FILES[target.kind];
  // A video with a fit and the video of a small original can have equal sizes, but differ in quality, so the two never
  // share a file.
  const folder = target.fit ?? `${target.width}x${target.height}`;
  const key = `d/${RECIPE}/${folder}/${sharded(contentKey(source))}.${ending}`;
  return { key, contentType, target };
}

/**
 * Returns a key that identifies the content of a source. The key is the hash, so that a picture with two ids is
 * processed only once. For a linked GIF without a known hash, the key is the id and not the URL, because a published
 * image must never change, even if the picture moves to another server.
 */
export function contentKey(source: Pick<MediaSource, 'id' | 'sha256' | 'expectedSha256'>): string {
  return source.sha256 ?? source.expectedSha256 ?? createHash('sha256').update(source.id).digest('hex');
}

function sharded(name: string): string {
  return `${name.slice(0, 2)}/${name.slice(2, 4)}/${name}`;
}
