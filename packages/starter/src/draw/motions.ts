import type { CaptionMotion } from './caption.ts';

/**
 * The position of the hero at a given moment. Lengths are in hero sizes, and `rotate` is in turns. The hero is scaled
 * and turned about `pivot`, a point measured from the hero's centre (y = 0.5 is its foot).
 */
export interface Pose {
  x?: number;
  y?: number;
  rotate?: number;
  scaleX?: number;
  scaleY?: number;
  pivot?: { x: number; y: number };
  /** Position on the way across the canvas, from beyond its left edge (-0.5) to beyond its right edge (0.5). */
  across?: number;
  /** Rotation of the colours around the colour wheel, in turns. */
  hue?: number;
}

export interface Motion {
  readonly frames: number;
  /** Milliseconds per frame, a multiple of ten, because GIF counts in hundredths of a second. */
  readonly delay: number;
  readonly caption: CaptionMotion;
  /** A phrase that says what the picture does, for the alternative text. */
  readonly verb: string;
  /** Whether the hero leaves the ground and casts a shadow on it. */
  readonly lifts?: boolean;
  /** Whether the hero can leave the canvas. If so, the hero is not shrunk to stay inside. */
  readonly bleeds?: boolean;
  /**
   * Returns the pose at the phase t in [0, 1). It is a pure function with pose(1) = pose(0), so that the loop has no
   * seam. At t = 0 the hero is fully visible, because still previews show the first frame.
   */
  pose(t: number): Pose;
}

const foot = { x: 0, y: 0.46 };
const head = { x: 0, y: -0.46 };

const wave = (t: number, times = 1) => Math.sin(2 * Math.PI * times * t);
/** Returns 0 at both ends and 1 in the middle. */
const hill = (t: number) => Math.sin(Math.PI * t);
const smooth = (t: number) => t * t * (3 - 2 * t);
/** Moves from the middle past the left edge, and then back in from the right edge. */
const leftwards = (t: number) => (t < 0.5 ? -t : 1 - t);
/** Goes from 0 to 1 between two moments of the loop. It is 0 before the first moment and 1 after the second. */
const span = (t: number, from: number, to: number) => Math.max(0, Math.min(1, (t - from) / (to - from)));
const even = (scale: number) => ({ scaleX: scale, scaleY: scale });

export const motions: Record<string, Motion> = {
  still: { frames: 14, delay: 60, caption: 'hop', verb: 'standing', pose: (t) => even(1 + 0.015 * wave(t)) },
  bounce: {
    frames: 14,
    delay: 50,
    caption: 'hop',
    verb: 'bouncing',
    lifts: true,
    pose(t) {
      const ground = hill(span(t, 0, 0.26));
      const air = span(t, 0.26, 1);
      const stretch = 0.05 * Math.abs(1 - 2 * air);
      return {
        y: -1.5 * air * (1 - air),
        scaleX: 1 - stretch + 0.2 * ground,
        scaleY: 1 + stretch - 0.25 * ground,
        pivot: foot,
      };
    },
  },
  jump: {
    frames: 16,
    delay: 50,
    caption: 'hop',
    verb: 'jumping for joy',
    lifts: true,
    pose(t) {
      // Two hops per loop, leaning to one side and then to the other.
      const hop = (t * 2) % 1;
      const side = t < 0.5 ? 1 : -1;
      const squash = Math.max(0, Math.cos(2 * Math.PI * hop));
      return {
        x: side * 0.06 * hill(hop),
        y: -0.24 * hill(hop),
        rotate: side * 0.035 * hill(hop),
        scaleX: 1 + 0.07 * squash,
        scaleY: 1 - 0.09 * squash,
        pivot: foot,
      };
    },
  },
  jelly: {
    frames: 14,
    delay: 50,
    caption: 'wave',
    verb: 'wobbling like jelly',
    pose: (t) => ({ scaleX: 1 + 0.1 * wave(t), scaleY: 1 - 0.1 * wave(t), pivot: foot }),
  },
  wobble: {
    frames: 14,
    delay: 50,
    caption: 'wave',
    verb: 'wobbling',
    pose: (t) => ({ x: 0.03 * wave(t), rotate: 0.045 * wave(t), pivot: foot }),
  },
  pulse: { frames: 12, delay: 50, caption: 'pulse', verb: 'pulsing', pose: (t) => even(1 + 0.1 * wave(t)) },
  heartbeat: {
    frames: 16,
    delay: 50,
    caption: 'pulse',
    verb: 'beating',
    pose: (t) => even(1 + 0.2 * hill(span(t, 0, 0.28)) + 0.12 * hill(span(t, 0.3, 0.55))),
  },
  spin: { frames: 16, delay: 50, caption: 'wave', verb: 'spinning', pose: (t) => ({ rotate: t }) },
  flip: {
    frames: 16,
    delay: 50,
    caption: 'pulse',
    verb: 'turning like a coin',
    pose: (t) => ({ scaleX: Math.abs(Math.cos(2 * Math.PI * t)), y: -0.03 * wave(t, 2) }),
  },
  toss: {
    frames: 18,
    delay: 50,
    caption: 'hop',
    verb: 'flipped into the air',
    lifts: true,
    pose(t) {
      const air = span(t, 0.1, 0.9);
      return { y: -2 * air * (1 - air), scaleY: air < 1 ? Math.cos(4 * Math.PI * smooth(air)) : 1 };
    },
  },
  swing: {
    frames: 16,
    delay: 50,
    caption: 'swing',
    verb: 'swinging',
    pose: (t) => ({ rotate: 0.055 * wave(t), pivot: head }),
  },
  sway: {
    frames: 16,
    delay: 60,
    caption: 'swing',
    verb: 'swaying',
    pose: (t) => ({ rotate: 0.035 * wave(t), scaleY: 1 - 0.02 * wave(t, 2), pivot: foot }),
  },
  shake: {
    frames: 12,
    delay: 50,
    caption: 'shake',
    verb: 'shaking from side to side',
    pose: (t) => ({ x: 0.09 * wave(t), rotate: 0.02 * wave(t + 0.1), scaleX: 1 - 0.05 * Math.abs(wave(t)) }),
  },
  nod: {
    frames: 14,
    delay: 50,
    caption: 'hop',
    verb: 'nodding',
    pose(t) {
      const dip = hill(span(t, 0, 0.36)) + 0.7 * hill(span(t, 0.4, 0.72));
      return { y: 0.1 * dip, scaleX: 1 + 0.03 * dip, scaleY: 1 - 0.1 * dip };
    },
  },
  tremble: {
    frames: 12,
    delay: 40,
    caption: 'shake',
    verb: 'trembling',
    pose: (t) => ({ x: 0.022 * wave(t, 3), y: 0.016 * Math.cos(8 * Math.PI * t), rotate: 0.008 * wave(t, 4) }),
  },
  float: {
    frames: 16,
    delay: 70,
    caption: 'wave',
    verb: 'floating',
    pose: (t) => ({ y: -0.07 * wave(t), rotate: 0.012 * wave(t + 0.25) }),
  },
  breathe: {
    frames: 16,
    delay: 80,
    caption: 'wave',
    verb: 'breathing slowly',
    pose: (t) => ({ scaleX: 1 + 0.02 * wave(t), scaleY: 1 - 0.05 * wave(t), pivot: foot }),
  },
  party: {
    frames: 16,
    delay: 50,
    caption: 'shake',
    verb: 'dancing through all colours of the rainbow',
    pose: (t) => ({ x: 0.07 * wave(t), y: 0.06 * Math.cos(4 * Math.PI * t), rotate: 0.03 * wave(t), hue: t }),
  },
  zoom: {
    frames: 16,
    delay: 50,
    caption: 'pulse',
    verb: 'zooming in',
    pose(t) {
      const near = smooth(span(t, 0, 0.6)) - smooth(span(t, 0.82, 1));
      return { ...even(0.74 + 0.36 * near), rotate: 0.01 * wave(t, 4) * near };
    },
  },
  tada: {
    frames: 18,
    delay: 50,
    caption: 'pulse',
    verb: 'making an entrance',
    pose(t) {
      const grow = smooth(span(t, 0.05, 0.25)) - smooth(span(t, 0.75, 0.95));
      return { ...even(0.88 + 0.16 * grow), rotate: 0.03 * grow * wave(span(t, 0.2, 0.8), 3) };
    },
  },
  dance: {
    frames: 16,
    delay: 60,
    caption: 'hop',
    verb: 'dancing',
    pose(t) {
      const beat = Math.abs(wave(t, 1));
      return { x: 0.09 * wave(t), y: -0.06 * beat, rotate: 0.04 * wave(t), scaleY: 1 - 0.07 * (1 - beat), pivot: foot };
    },
  },
  clap: {
    frames: 12,
    delay: 50,
    caption: 'pulse',
    verb: 'clapping',
    pose(t) {
      const hit = Math.max(0, wave(t, 2)) ** 2;
      return { scaleX: 1.04 - 0.16 * hit, scaleY: 0.98 + 0.07 * hit, rotate: 0.02 * wave(t) };
    },
  },
  stomp: {
    frames: 16,
    delay: 50,
    caption: 'shake',
    verb: 'landing with a thump',
    lifts: true,
    pose(t) {
      const up = smooth(span(t, 0.35, 0.75)) - span(t, 0.86, 1) ** 2;
      const impact = hill(span(t, 0, 0.16));
      return { y: -0.3 * up, scaleX: 1 + 0.16 * impact, scaleY: 1 - 0.2 * impact, pivot: foot };
    },
  },
  roll: {
    frames: 20,
    delay: 50,
    caption: 'shake',
    verb: 'rolling from side to side',
    pose: (t) => ({ x: 0.24 * wave(t), rotate: 0.11 * wave(t) }),
  },
  laugh: {
    frames: 12,
    delay: 50,
    caption: 'shake',
    verb: 'shaking with laughter',
    pose: (t) => ({ y: -0.06 * Math.abs(wave(t, 2)), rotate: 0.05 + 0.025 * wave(t), scaleY: 1 - 0.03 * wave(t, 2) }),
  },
  peek: {
    frames: 20,
    delay: 60,
    caption: 'still',
    verb: 'peeking from below',
    bleeds: true,
    pose(t) {
      const down = smooth(span(t, 0.4, 0.6)) - smooth(span(t, 0.7, 0.9));
      return { y: 0.04 + 0.86 * down, rotate: 0.02 * wave(span(t, 0.05, 0.4)) };
    },
  },
  drive: {
    frames: 20,
    delay: 50,
    caption: 'wave',
    verb: 'passing by',
    bleeds: true,
    // Most emoji with wheels, wings or legs look to the left.
    pose: (t) => ({ across: leftwards(t), y: -0.025 * Math.abs(wave(t, 4)), rotate: 0.008 * wave(t, 4) }),
  },
  walk: {
    frames: 20,
    delay: 60,
    caption: 'wave',
    verb: 'walking by',
    bleeds: true,
    pose: (t) => ({ across: leftwards(t), y: -0.07 * Math.abs(wave(t, 3)), rotate: 0.03 * wave(t, 3), pivot: foot }),
  },
  launch: {
    frames: 20,
    delay: 50,
    caption: 'shake',
    verb: 'taking off',
    bleeds: true,
    pose(t) {
      // The rocket trembles on the ground, leaves through the top, and comes in again from below.
      const away = span(t, 0.4, 0.72) ** 2 * 1.8;
      const back = t > 0.72 ? 1.8 * (1 - smooth(span(t, 0.72, 1))) : 0;
      const shiver = t < 0.4 ? 0.02 * wave(t, 10) : 0;
      const along = t > 0.72 ? back : -away;
      // The rocket emoji points to the upper right.
      return { x: shiver - along * 0.9, y: along };
    },
  },
  soar: {
    frames: 16,
    delay: 50,
    caption: 'wave',
    verb: 'flying up',
    pose: (t) => ({ x: 0.05 * wave(t), y: -0.05 * wave(t, 2), rotate: 0.01 * wave(t) }),
  },
  sunrise: {
    frames: 24,
    delay: 70,
    caption: 'wave',
    verb: 'rising over the hills',
    bleeds: true,
    pose(t) {
      const down = smooth(span(t, 0.35, 0.55)) - smooth(span(t, 0.55, 0.95));
      return { y: 0.04 + 0.76 * down, rotate: 0.02 * wave(t, 2) };
    },
  },
  drift: {
    frames: 20,
    delay: 80,
    caption: 'wave',
    verb: 'drifting across the night',
    pose: (t) => ({ x: 0.1 * wave(t), y: 0.05 * Math.cos(4 * Math.PI * t), rotate: 0.025 * wave(t + 0.25) }),
  },
  blink: {
    frames: 12,
    delay: 60,
    caption: 'pulse',
    verb: 'blinking',
    pose(t) {
      const gone = hill(span(t, 0.55, 0.95));
      return even(1 - 0.3 * gone * gone);
    },
  },
  meet: {
    frames: 14,
    delay: 50,
    caption: 'pulse',
    verb: 'meeting',
    bleeds: true,
    pose: (t) => ({ x: -0.38 - 0.22 * Math.max(0, wave(t)), rotate: -0.02 * Math.max(0, wave(t)) }),
  },
  spiral: {
    frames: 18,
    delay: 50,
    caption: 'swing',
    verb: 'circling',
    pose: (t) => ({ x: 0.09 * wave(t), y: 0.09 * Math.cos(2 * Math.PI * t), rotate: 0.04 * wave(t) }),
  },
};
