/** The four fittings of the specification; every GIF has a preview in each. */
export const FITS = ['small', 'medium', 'w240', 'w480'] as const;
export type Fit = (typeof FITS)[number];

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** `animated` is false where only a still is made. */
export interface PreviewSize extends Size {
  readonly animated: boolean;
}

/** Rows are fitted by height, columns by width; in pixels. */
const BOUNDS: Record<Fit, { height: number } | { width: number }> = {
  small: { height: 96 },
  medium: { height: 192 },
  w240: { width: 240 },
  w480: { width: 480 },
};

/**
 * What animations are made of. These are no settings: an address that was published as an animation
 * has to stay one. 300 Mpx take about 3 s of one core; WebP has no room for a longer side than 16,383 px.
 */
const MAX_ANIMATED_PIXELS = 300_000_000;
const MAX_ANIMATED_FRAMES = 2000;
const MAX_WEBP_SIDE = 16_383;

/**
 * The sizes of the four previews of an image, in pixels: fitted, never enlarged, never less than 1 px a side.
 * An image whose number of frames is not known yet is taken for one that can be animated.
 */
export function previewSizes(image: Size & { readonly frames: number | null }): Record<Fit, PreviewSize> {
  const fit = (name: Fit): PreviewSize => {
    const size = fitted(image, BOUNDS[name]);
    return { ...size, animated: canAnimate(image, size) };
  };
  return { small: fit('small'), medium: fit('medium'), w240: fit('w240'), w480: fit('w480') };
}

/** Whether an image of so many frames is animated at a size. */
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
