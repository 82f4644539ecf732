import type { Gif } from './contract.ts';

const LOOPBACK = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/]|$)/;

/**
 * Returns a function that checks whether a URL is safe to show and post. https URLs are safe. Local URLs are safe only
 * if the service is local.
 */
export function addressRule(base: string): (address: unknown) => boolean {
  const isDeveloping = LOOPBACK.test(base);
  return (address) =>
    typeof address === 'string' && (/^https:\/\/[^\s"<>]+$/.test(address) || (isDeveloping && LOOPBACK.test(address)));
}

/**
 * Returns the items that are safe to show and to post. Invalid items are dropped, because one broken item must not make
 * the whole page fail. Fields that are not in the contract are kept.
 */
export function readGifs(items: unknown, isAddress: (address: unknown) => boolean): Gif[] {
  return Array.isArray(items) ? items.filter((item): item is Gif => isGif(item, isAddress)) : [];
}

function isGif(value: unknown, isAddress: (address: unknown) => boolean): value is Gif {
  const gif = value as Gif | null;
  return (
    typeof gif?.id === 'string' &&
    typeof gif.title === 'string' &&
    Array.isArray(gif.tags) &&
    isAddress(gif.url) &&
    (gif.format === 'gif' || gif.format === 'webp') &&
    hasSize(gif) &&
    (gif.mp4 === null || isAddress(gif.mp4)) &&
    (gif.previewMp4 == null || isAddress(gif.previewMp4)) &&
    (gif.lqip === null || /^data:image\//.test(gif.lqip)) &&
    (['small', 'medium', 'w240', 'w480'] as const).every((name) => {
      const preview = gif.previews?.[name];
      return (
        preview !== undefined &&
        hasSize(preview) &&
        isAddress(preview.still) &&
        (preview.animated === null || isAddress(preview.animated))
      );
    })
  );
}

function hasSize({ width, height }: { width: number; height: number }): boolean {
  return Number.isInteger(width) && Number.isInteger(height) && width > 0 && height > 0;
}
