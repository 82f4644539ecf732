import sharp from 'sharp';

/** The kinds of changes that GIFs get when people share them. */
export const COPIES = ['cropped', 'captioned', 'recompressed', 'mirrored'] as const;
export type CopyKind = (typeof COPIES)[number];

/** The part cut off on each side, as a share of that side. */
const CROP = 0.1;
const CAPTION = 'WHEN IT WORKS';
const WEBP_QUALITY = 40;

/** A frame as a PNG. */
interface Picture {
  readonly png: Buffer;
  readonly width: number;
  readonly height: number;
}

/**
 * Returns the copies of a GIF. A copy has only the frames at the given places, because no other frames are used. Throws
 * an Error if the GIF cannot be decoded, or if the machine has no font for the caption.
 */
export async function makeCopies(bytes: Uint8Array, places: readonly number[]): Promise<Record<CopyKind, Buffer>> {
  const { pages = 1 } = await sharp(bytes, { pages: -1, limitInputPixels: false }).metadata();
  const frames: Picture[] = [];
  for (const place of places) frames.push(await readFrame(bytes, Math.floor(place * pages)));
  return {
    cropped: await animate(frames, 'gif', crop),
    captioned: await animate(frames, 'gif', caption),
    recompressed: await animate(frames, 'webp', ({ png }) => png),
    mirrored: await animate(frames, 'gif', ({ png }) => sharp(png).flop().png().toBuffer()),
  };
}

async function readFrame(bytes: Uint8Array, page: number): Promise<Picture> {
  const { data, info } = await sharp(bytes, { page }).png().toBuffer({ resolveWithObject: true });
  return { png: data, width: info.width, height: info.height };
}

async function animate(
  frames: readonly Picture[],
  format: 'gif' | 'webp',
  change: (frame: Picture) => Buffer | Promise<Buffer>,
): Promise<Buffer> {
  const animation = sharp(await Promise.all(frames.map(change)), { join: { animated: true } });
  return format === 'gif' ? animation.gif().toBuffer() : animation.webp({ quality: WEBP_QUALITY }).toBuffer();
}

function crop({ png, width, height }: Picture): Promise<Buffer> {
  const [left, top] = [Math.floor(width * CROP), Math.floor(height * CROP)];
  const area = { left, top, width: width - 2 * left, height: height - 2 * top };
  return sharp(png).extract(area).png().toBuffer();
}

/** Draws white letters with a black edge over the lower part, nearly as wide as the picture. */
async function caption({ png, width, height }: Picture): Promise<Buffer> {
  const size = Math.max(6, Math.round(height * 0.16));
  const overlay = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><text x="50%" y="${height - size * 0.4}"
      font-family="sans-serif" font-weight="bold" font-size="${size}" text-anchor="middle" textLength="${width * 0.9}"
      lengthAdjust="spacingAndGlyphs" fill="#fff" stroke="#000" stroke-width="${size / 12}">${CAPTION}</text></svg>`,
  );
  const { channels } = await sharp(overlay).stats();
  if (channels[3]!.max === 0) throw new Error('captions cannot be written: no font is installed');
  return sharp(png)
    .composite([{ input: overlay }])
    .png()
    .toBuffer();
}
