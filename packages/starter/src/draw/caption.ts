import { rasterise } from './artwork.ts';
import { type Canvas, draw, type Sprite } from './canvas.ts';
import { type Letter, letter } from './letters.ts';

/** The movement of the letters of a caption. */
export type CaptionMotion = 'wave' | 'hop' | 'pulse' | 'shake' | 'swing' | 'still';

export interface CaptionStyle {
  readonly ink: string;
  readonly outline: string;
  readonly motion: CaptionMotion;
}

/** A line of text, ready to be drawn. Its letters are side by side around the middle of the line. */
export interface Line {
  /** Height from the top of the outline to its bottom, at rest. */
  readonly height: number;
  draw(canvas: Canvas, centre: { x: number; y: number }, t: number): void;
}

/** Pen width, outline and gap between letters, in letter units (a capital is 10 high). */
const pen = 2.9;
const rim = 1.15;
const gap = 1.5;
const reach = pen / 2 + rim;

interface Glyph {
  readonly offset: number;
  readonly back: Sprite;
  readonly front: Sprite;
}

/** Lays a line out to fit `maxWidth`, with letters at most `maxHeight` high, and renders its letters. */
export async function layLine(
  text: string,
  limits: { maxWidth: number; maxHeight: number },
  style: CaptionStyle,
): Promise<Line> {
  const letters = [...text].map((character) => {
    const found = letter(character);
    if (!found) throw new Error(`the caption alphabet has no letter for "${character}" in "${text}"`);
    return found;
  });
  const step = pen + gap;
  const width = letters.reduce((sum, each) => sum + each.width + step, 0) - step + 2 * reach;
  const scale = Math.min(limits.maxWidth / width, limits.maxHeight / (10 + 2 * reach));
  const glyphs: Glyph[] = [];
  let offset = -width / 2 + reach;
  for (const each of letters) {
    const middle = (offset + each.width / 2) * scale;
    if (each.path) glyphs.push({ offset: middle, ...(await glyph(each, scale, style)) });
    offset += each.width + step;
  }
  const height = (10 + 2 * reach) * scale;
  return {
    height,
    draw(canvas, centre, t) {
      const placed = glyphs.map((each, i) =>
        place(style.motion, { i, count: glyphs.length, t, height, offset: each.offset }),
      );
      // All outlines are drawn first, because a letter's outline must not cut into its neighbour.
      for (const layer of ['back', 'front'] as const) {
        glyphs.forEach((each, i) => {
          const { dx, dy, rotate, scale: size } = placed[i]!;
          draw(canvas, each[layer], { x: centre.x + dx, y: centre.y + dy, rotate, scaleX: size, scaleY: size });
        });
      }
    },
  };
}

async function glyph(shape: Letter, scale: number, style: CaptionStyle): Promise<{ back: Sprite; front: Sprite }> {
  const margin = reach + 1.4;
  const board = { width: shape.width + 2 * margin, height: 10 + 2 * margin, scale };
  const line = (width: number, colour: string, shift: number) =>
    `<path transform="translate(${margin} ${margin + shift})" d="${shape.path}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`;
  const wide = pen + 2 * rim;
  const [back, front] = await Promise.all([
    rasterise(line(wide, style.outline, 0) + line(wide, style.outline, 0.7), board),
    rasterise(line(pen, style.ink, 0), board),
  ]);
  return { back, front };
}

interface Moment {
  i: number;
  count: number;
  t: number;
  height: number;
  offset: number;
}

interface Placed {
  dx: number;
  dy: number;
  rotate: number;
  scale: number;
}

const turn = 2 * Math.PI;

const moves: Record<CaptionMotion, (moment: Moment) => Placed> = {
  wave: ({ i, t, height, offset }) => ({
    dx: offset,
    dy: -Math.sin(turn * (t - i * 0.11)) * height * 0.08,
    rotate: 0,
    scale: 1,
  }),
  hop: ({ i, count, t, height, offset }) => {
    // The letters jump one after another, within the first two thirds of the loop.
    const local = (t - (i / Math.max(count, 3)) * 0.6) / 0.4;
    const up = local > 0 && local < 1 ? Math.sin(Math.PI * local) : 0;
    return { dx: offset, dy: -up * height * 0.2, rotate: 0, scale: 1 + up * 0.06 };
  },
  pulse: ({ t, offset }) => {
    const scale = 1 + 0.06 * Math.sin(turn * t);
    return { dx: offset * scale, dy: 0, rotate: 0, scale };
  },
  shake: ({ i, t, height, offset }) => ({
    dx: offset + Math.sin(turn * (t * 3 + i * 0.37)) * height * 0.035,
    dy: Math.cos(turn * (t * 4 + i * 0.61)) * height * 0.035,
    rotate: Math.sin(turn * (t * 2 + i * 0.29)) * 0.07,
    scale: 1,
  }),
  swing: ({ t, offset }) => {
    const rotate = Math.sin(turn * t) * 0.06;
    return { dx: offset * Math.cos(rotate), dy: offset * Math.sin(rotate), rotate, scale: 1 };
  },
  still: ({ offset }) => ({ dx: offset, dy: 0, rotate: 0, scale: 1 }),
};

function place(motion: CaptionMotion, moment: Moment): Placed {
  return moves[motion](moment);
}
