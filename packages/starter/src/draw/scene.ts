import type { Canvas, Sprite } from './canvas.ts';
import type { Theme } from './look.ts';

/** The facts that an effect gets about the GIF to which it is added. Lengths are in pixels. */
export interface Scene {
  readonly width: number;
  readonly height: number;
  /** Length of the shorter side. */
  readonly side: number;
  /** The theme, or undefined for a transparent GIF. */
  readonly theme: Theme | undefined;
  /** The middle and the size of the hero at rest. */
  readonly hero: { readonly x: number; readonly y: number; readonly size: number };
  readonly random: () => number;
  picture(name: string, size: number): Promise<Sprite>;
}

/** Functions that draw on a frame at phase t, behind the hero or in front of it. */
export interface Layers {
  back?(canvas: Canvas, t: number): void;
  front?(canvas: Canvas, t: number): void;
}

/** Prepares an effect for a scene. The effect looks the same at t = 0 and t = 1. */
export type Effect = (scene: Scene, argument: string | undefined) => Promise<Layers>;

export const turn = 2 * Math.PI;

export function wrap(value: number): number {
  return value - Math.floor(value);
}

/**
 * Returns a size that grows from 0, stays at 1, and shrinks to 0. Particles never fade, because GIF has no
 * half-transparent pixels.
 */
export function bloom(life: number, edge = 0.2): number {
  const near = Math.min(life, 1 - life) / edge;
  return near <= 0 ? 0 : near >= 1 ? 1 : Math.sin((near * Math.PI) / 2);
}

/** Returns an array of `count` things, each made from its index. */
export function many<T>(count: number, make: (i: number) => T): T[] {
  return Array.from({ length: count }, (_, i) => make(i));
}

export const partyColours = ['#ff5d73', '#ffb03b', '#ffe14d', '#4fd18b', '#45b6fe', '#a66bff'];
