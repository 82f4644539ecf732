import sharp from 'sharp';
import { noise } from '../../packages/server/src/enrich/testing/pictures.ts';

export interface Captioned {
  /** Lines of the caption. The last line is at the bottom. If there are two lines, the first is at the top. */
  readonly lines: readonly string[];
  /** Each seed gives a different picture. */
  readonly seed: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Returns a GIF of two frames. Shapes move in a soft scene, with a caption in white capitals that have a black outline.
 */
export async function captionedGif({ lines, seed, width, height }: Captioned): Promise<Uint8Array> {
  const hue = (seed * 47) % 360;
  // Capitals of these fonts are at most 0.85 em wide.
  const longest = Math.max(1, ...lines.map((line) => line.length));
  const size = Math.min(height / 9, (0.92 * width) / (0.85 * longest));
  const text = lines.map((line, i) => {
    const y = i === lines.length - 1 ? height - size * 0.6 : size * 1.3;
    return `<text x="50%" y="${y}" text-anchor="middle" font-family="DejaVu Sans, Liberation Sans, sans-serif" font-weight="bold"
      font-size="${size}" fill="#fff" stroke="#000" stroke-width="${size / 8}" paint-order="stroke">${escaped(line)}</text>`;
  });
  const grain = await grainOf(seed, width, height);
  const frame = async (step: number): Promise<Buffer> => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
      <defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="hsl(${hue},60%,75%)"/>
      <stop offset="1" stop-color="hsl(${(hue + 40) % 360},45%,35%)"/></linearGradient>
      <radialGradient id="face"><stop stop-color="hsl(${(hue + 90) % 360},50%,70%)"/>
      <stop offset="1" stop-color="hsl(${(hue + 120) % 360},55%,30%)"/></radialGradient></defs>
      <rect width="100%" height="100%" fill="url(#sky)"/>
      <ellipse cx="${width * (0.3 + 0.05 * step)}" cy="${height * 0.55}" rx="${width * 0.2}" ry="${height * 0.3}" fill="url(#face)"/>
      <circle cx="${width * 0.75}" cy="${height * (0.5 + 0.04 * step)}" r="${height * 0.15}" fill="url(#face)"/></svg>`;
    const layers = [
      { input: grain, blend: 'overlay' as const },
      {
        input: Buffer.from(
          `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${text.join('')}</svg>`,
        ),
      },
    ];
    return sharp(Buffer.from(svg)).composite(layers).png({ compressionLevel: 0 }).toBuffer();
  };
  return sharp([await frame(0), await frame(1)], { join: { animated: true } })
    .gif({ colours: 64, dither: 0.7, effort: 1, delay: [120, 120] })
    .toBuffer();
}

/** Returns grain like that of a camera. */
async function grainOf(seed: number, width: number, height: number): Promise<Buffer> {
  const { side, pixels } = noise(64, seed);
  const raw = { width: side, height: side, channels: 3 as const };
  return sharp(pixels, { raw })
    .resize(width, height, { fit: 'fill' })
    .blur(2)
    .linear(0.4, 76)
    .png({ compressionLevel: 0 })
    .toBuffer();
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
