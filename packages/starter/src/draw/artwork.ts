import { createRequire } from 'node:module';
import sharp from 'sharp';
import type { Sprite } from './canvas.ts';
import { drawing } from './drawings.ts';

interface IconSet {
  icons: Record<string, { body: string }>;
  aliases?: Record<string, { parent: string }>;
}

let loaded: IconSet | undefined;

/** Returns Noto's emoji: about 3,800 SVG bodies, keyed by name. They are read at first use. */
function noto(): IconSet {
  loaded ??= createRequire(import.meta.url)('@iconify-json/noto/icons.json') as IconSet;
  return loaded;
}

/** Returns the SVG body of a picture on a 128 x 128 board: one of our own drawings, or an emoji. */
export function pictureBody(name: string): string | undefined {
  const { icons, aliases } = noto();
  return drawing(name) ?? icons[name]?.body ?? icons[aliases?.[name]?.parent ?? '']?.body;
}

/** Size in pixels below which rasterised pictures are cached, because many GIFs use the same small hearts and stars. */
const keptBelow = 72;
const kept = new Map<string, Promise<Sprite>>();

/** Returns the named picture as a sprite. `size` is the side of its 128-unit board in pixels. */
export function picture(name: string, size: number): Promise<Sprite> {
  const side = Math.max(4, Math.round(size));
  const body = pictureBody(name);
  if (body === undefined) return Promise.reject(new Error(`no picture is called "${name}"`));
  if (side >= keptBelow) return rasterise(body, { width: 128, height: 128, scale: side / 128 });
  const key = `${name} ${side}`;
  const known = kept.get(key) ?? rasterise(body, { width: 128, height: 128, scale: side / 128 });
  kept.set(key, known);
  return known;
}

/** Renders an SVG body of the given board. Adds an empty border, so that the edges are sampled correctly. */
export async function rasterise(
  body: string,
  board: { width: number; height: number; scale: number },
): Promise<Sprite> {
  const border = 2;
  const width = Math.ceil(board.width * board.scale) + 2 * border;
  const height = Math.ceil(board.height * board.scale) + 2 * border;
  const spanX = width / board.scale;
  const spanY = height / board.scale;
  const box = `${(board.width - spanX) / 2} ${(board.height - spanY) / 2} ${spanX} ${spanY}`;
  const clip = `<clipPath id="board"><rect width="${board.width}" height="${board.height}"/></clipPath>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="${box}" width="${width}" height="${height}">${clip}<g clip-path="url(#board)">${body}</g></svg>`;
  const { data } = await sharp(Buffer.from(svg)).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  premultiply(data);
  return { width, height, data };
}

function premultiply(data: Uint8Array): void {
  for (let i = 0; i < data.length; i += 4) {
    const alpha = data[i + 3]!;
    if (alpha === 255) continue;
    data[i] = (data[i]! * alpha) / 255;
    data[i + 1] = (data[i + 1]! * alpha) / 255;
    data[i + 2] = (data[i + 2]! * alpha) / 255;
  }
}
