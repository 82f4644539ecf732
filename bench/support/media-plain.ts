import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import sharp, { type SharpOptions } from 'sharp';
import { previewSizes } from '../../packages/server/src/media/index.ts';

// The baseline of bench/media.ts: the shortest loop over sharp that gives the same images.

sharp.cache(false);
sharp.concurrency(1);
const out = process.argv[2]!;
mkdirSync(out, { recursive: true });

process.on('message', async (path: string) => {
  await make(path);
  process.send?.('done');
});

async function make(path: string): Promise<void> {
  const bytes = readFileSync(path);
  const { width, height, pageHeight, pages = 1 } = await sharp(bytes, { pages: -1, failOn: 'none' }).metadata();
  const image = { width, height: pageHeight ?? height, frames: pages };
  const sizes = new Map(Object.values(previewSizes(image)).map((size) => [`${size.width}x${size.height}`, size]));
  for (const [name, size] of sizes) {
    const file = join(out, `${basename(path)}-${name}`);
    const same = size.width === image.width && size.height === image.height;
    const fit = { width: size.width, height: size.height, fit: 'fill' } as const;
    const open = (options: SharpOptions) =>
      same ? sharp(bytes, { ...options, failOn: 'none' }) : sharp(bytes, { ...options, failOn: 'none' }).resize(fit);
    if (size.animated) {
      const all = { pages: -1, limitInputPixels: false };
      let webp = await open(all).webp({ quality: 70, effort: 2, alphaQuality: 60, loop: 0 }).toBuffer();
      if (same && image.width * image.height * pages <= 2_000_000) {
        const lossless = await open(all).webp({ lossless: true, effort: 2, loop: 0 }).toBuffer();
        if (lossless.length < webp.length) webp = lossless;
      }
      writeFileSync(`${file}.webp`, webp);
    }
    writeFileSync(`${file}.png`, await open({ pages: 1 }).png({ palette: true, quality: 80, effort: 4 }).toBuffer());
  }
  const lqip = await sharp(bytes, { pages: 1, failOn: 'none' })
    .resize({ width: 16, height: 16, fit: 'inside' })
    .webp({ quality: 20, alphaQuality: 20, effort: 6 })
    .toBuffer();
  writeFileSync(join(out, `${basename(path)}-lqip.webp`), lqip);
}
