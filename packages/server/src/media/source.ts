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
} from './derivatives.ts';
import { RECIPE } from './recipe.ts';

/** What has to be known of a GIF to make its derivatives. */
export interface MediaSource {
  readonly id: string;
  readonly format: MediaFormat;
  /** Pixels; of a linked GIF, as its catalogue says. */
  readonly width: number;
  readonly height: number;
  readonly frames: number | null;
  readonly durationMs: number | null;
  /** Hash of the original that lies here; null for a linked GIF. */
  readonly sha256: string | null;
  /** Where the original of a linked GIF lies. */
  readonly url: string | null;
  /** What the original of a linked GIF must hash to, where that is known. */
  readonly expectedSha256?: string | null;
}

/** A file to make: a size in pixels, moving or not; a video is of the size of its original. */
export interface Target extends Size {
  readonly kind: DerivativeKind;
}

export type ContentType = 'image/webp' | 'image/png' | 'video/mp4';

/** A derivative's place in the blob store. Fittings that come to the same size share one. */
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

/** Where a derivative lies, made or not; null when the image is too large to be animated, or may have no video. */
export function derivativeFile(source: MediaSource, derivative: Derivative): DerivativeFile | null {
  if (derivative.kind === 'video') {
    return mp4Allowed(source) ? fileOf(source, { kind: 'video', width: source.width, height: source.height }) : null;
  }
  const size = previewSizes(source)[derivative.fit];
  if (derivative.kind === 'animated' && !size.animated) return null;
  return fileOf(source, { kind: derivative.kind, width: size.width, height: size.height });
}

/** All files that the eight derivatives of a source come to, each once. */
export function derivativeFiles(source: MediaSource): DerivativeFile[] {
  return previewTargets(source).map((target) => fileOf(source, target));
}

/** The images to make for the given fittings (all four when none are given), each size once. */
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
  const key = `d/${RECIPE}/${target.width}x${target.height}/${sharded(contentKey(source))}.${ending}`;
  return { key, contentType, target };
}

/**
 * Names the content of a source: by its hash, so that the same picture under two ids is made once.
 * A linked GIF without a known hash goes by its id, not by its url: what an address once showed it shows
 * for ever, even when the picture moves to another server.
 */
export function contentKey(source: Pick<MediaSource, 'id' | 'sha256' | 'expectedSha256'>): string {
  return source.sha256 ?? source.expectedSha256 ?? createHash('sha256').update(source.id).digest('hex');
}

function sharded(name: string): string {
  return `${name.slice(0, 2)}/${name.slice(2, 4)}/${name}`;
}
