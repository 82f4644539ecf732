import { expect, it } from 'vitest';
import { seeded } from '../random.ts';
import { picture } from './artwork.ts';
import type { Canvas } from './canvas.ts';
import { effects } from './effects.ts';
import type { Layers, Scene } from './scene.ts';

const SIDE = 200;
const NAMES = Object.keys(effects);

function open(name: string): Promise<Layers> {
  const hero = { x: SIDE / 2, y: SIDE / 2, size: SIDE / 2 };
  const scene: Scene = { width: SIDE, height: SIDE, side: SIDE, theme: undefined, hero, random: seeded(name), picture };
  return effects[name]!(scene, undefined);
}

/** Draws only the effect, without the hero. @returns the alpha of each pixel */
function drawAt(layers: Layers, t: number): Uint8Array {
  const canvas: Canvas = { width: SIDE, height: SIDE, data: new Uint8Array(4 * SIDE * SIDE) };
  layers.back?.(canvas, t);
  layers.front?.(canvas, t);
  return canvas.data.filter((_, i) => i % 4 === 3);
}

/** Returns the share of the pixels that are drawn, of those for which `isAsked` is true. */
function shareOf(alpha: Uint8Array, isAsked: (x: number, y: number) => boolean = () => true): number {
  const asked = alpha.filter((_, i) => isAsked(i % SIDE, Math.floor(i / SIDE)));
  return asked.filter((value) => value > 127).length / asked.length;
}

it.each(NAMES)('the effect %s is seen, and loops without a jump', async (name) => {
  const layers = await open(name);
  const shares = [0, 0.25, 0.5, 0.75].map((t) => shareOf(drawAt(layers, t)));
  expect(Math.max(...shares)).toBeGreaterThan(0.005);
  const [first, last] = [drawAt(layers, 0), drawAt(layers, 1)];
  expect(first.filter((value, i) => Math.abs(value - last[i]!) > 16)).toHaveLength(0);
});

it('a hand is on the face in the first frame, and at its side later', async () => {
  const layers = await open('slap');
  const isMiddle = (x: number, y: number) => Math.hypot(x - SIDE / 2, y - SIDE / 2) < SIDE / 8;
  expect(shareOf(drawAt(layers, 0), isMiddle)).toBeGreaterThan(0.5);
  expect(shareOf(drawAt(layers, 0.6), isMiddle)).toBeLessThan(0.2);
  expect(shareOf(drawAt(layers, 0.6))).toBeGreaterThan(0.02);
});
