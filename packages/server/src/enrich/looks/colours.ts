import { cellMeans, type Frame } from './frame.ts';

/** Cells per side. */
const CELLS = 8;

/**
 * Returns the colour layout of a frame as 192 numbers. They are lightness, green-red and blue-yellow (CIE L*a*b*, white
 * D65) of the mean colour of 8 x 8 cells, row by row. The method follows Kasutani & Yamada 2001, "The MPEG-7 color
 * layout descriptor", but uses the cells themselves instead of their cosine transform.
 */
export function colourLayout(frame: Frame): Float64Array {
  const means = cellMeans(frame, CELLS);
  const layout = new Float64Array(means.length);
  for (let i = 0; i < means.length; i += 3) {
    layout.set(toLab(means[i]! / 255, means[i + 1]! / 255, means[i + 2]! / 255), i);
  }
  return layout;
}

/** Converts a colour from sRGB (IEC 61966-2-1) to L*a*b* (CIE 15). Red, green and blue are from 0 to 1. */
function toLab(red: number, green: number, blue: number): [number, number, number] {
  const [r, g, b] = [linear(red), linear(green), linear(blue)];
  const x = root((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047);
  const y = root(0.2126729 * r + 0.7151522 * g + 0.072175 * b);
  const z = root((0.0193339 * r + 0.119192 * g + 0.9503041 * b) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

function linear(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

function root(value: number): number {
  return value > 216 / 24_389 ? Math.cbrt(value) : (24_389 / 27 / 116) * value + 16 / 116;
}
