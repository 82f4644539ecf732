/** The colours of an opaque GIF: ground, its pattern, the shadow on it, and the caption's fill and outline. */
export interface Theme {
  readonly ground: string;
  readonly pattern: string;
  readonly shadow: string;
  readonly ink: string;
  readonly outline: string;
}

/**
 * The themes by name. All colours are flat. A GIF has 256 colours per picture, so a smooth gradient would show bands or
 * noise.
 */
const themes: Record<string, [ground: string, pattern: string, shadow: string, ink?: string, outline?: string]> = {
  peach: ['#ffd3b8', '#ffe0cc', '#f3b795'],
  sky: ['#aedcff', '#c9e8ff', '#8cc4ee'],
  mint: ['#b5ecd0', '#cdf4e0', '#8fd4b3'],
  lilac: ['#d6c4ff', '#e3d6ff', '#b9a1ef'],
  lemon: ['#ffeb94', '#fff3bb', '#ecd067'],
  rose: ['#ffc0d2', '#ffd4e0', '#f09db6'],
  pink: ['#ff86bd', '#ff9aca', '#e766a3'],
  sand: ['#f0d8b2', '#f7e6cb', '#d9bd8f'],
  cocoa: ['#c9986b', '#d4a87f', '#a97a4e'],
  sea: ['#6fd3e6', '#8adfee', '#4bb6cb'],
  teal: ['#25b8a5', '#3bc9b6', '#159383'],
  grass: ['#92d36e', '#a5df84', '#72b44f'],
  sun: ['#ffcb3d', '#ffd75f', '#e8ab12'],
  orange: ['#ff9d42', '#ffaf61', '#e07f22'],
  red: ['#f9585a', '#fd6e6e', '#d83c40'],
  royal: ['#3f63dd', '#5577ea', '#2d4bb8'],
  grape: ['#7340d6', '#8352e2', '#5729b3'],
  night: ['#1d1a4b', '#272460', '#131138', '#ffe27a'],
  ink: ['#23252f', '#2c2f3c', '#171920'],
  snow: ['#e6eff9', '#f3f8fd', '#c7d7e8'],
};

/**
 * Returns how much a theme's second colour covers the first colour at a point: 0 or 1, with soft edges. `t` is the
 * phase of the loop.
 */
type Pattern = (point: Point, t: number) => number;

/** A point, in pixels from the centre. `angle` is in turns. */
interface Point {
  x: number;
  y: number;
  radius: number;
  angle: number;
  /** Half the shorter side of the canvas. */
  half: number;
}

const patterns: Record<string, Pattern> = {
  plain: () => 0,
  spot: (p) => edge(p.half * 0.92 - p.radius),
  rays: (p, t) => {
    const phase = wrap(p.angle * 12 + t);
    // This is the arc length to the nearest border between two rays, so that borders are equally soft at every radius.
    return edge((0.25 - Math.abs(phase - 0.5)) * ((2 * Math.PI * p.radius) / 12));
  },
  rings: (p, t) => {
    const width = p.half * 0.5;
    return edge((0.25 - Math.abs(wrap(p.radius / width - t) - 0.5)) * width);
  },
  stripes: (p, t) => {
    const width = p.half * 0.42;
    return edge((0.25 - Math.abs(wrap((p.x + p.y) / width / Math.SQRT2 - t) - 0.5)) * width);
  },
  dots: (p, t) => {
    const cell = p.half * 0.36;
    // The dots move two rows per loop, because every other row is shifted.
    const row = Math.floor(p.y / cell + 2 * t);
    const x = wrap(p.x / cell + t + (row % 2) / 2) - 0.5;
    const y = wrap(p.y / cell + 2 * t) - 0.5;
    return edge((0.24 - Math.hypot(x, y)) * cell);
  },
  waves: (p, t) => {
    const height = p.half * 0.5;
    const crest = Math.sin((p.x / p.half) * 2 * Math.PI + t * 2 * Math.PI) * 0.12;
    return edge((0.25 - Math.abs(wrap(p.y / height + crest) - 0.5)) * height);
  },
  floor: (p) => edge(p.y - p.half * 0.52),
};

/** Patterns that look the same in every frame, so they are painted once. */
const still = new Set(['plain', 'spot', 'floor']);

/** A size and a ground, as written in a catalogue line: `240 clear`, `256 peach rays`, `320x240 night`. */
export interface Look {
  readonly width: number;
  readonly height: number;
  /** The theme, or undefined for a transparent GIF. */
  readonly theme: Theme | undefined;
  readonly pattern: string;
}

/** Reads a look. Throws an error for an unknown word, so that the catalogue's test finds mistakes. */
export function parseLook(text: string): Look {
  const [size = '', ground = '', pattern = 'spot'] = text.split(' ');
  const [width = Number.NaN, height = width] = size.split('x').map(Number);
  if (!(width >= 96 && width <= 320 && height >= 96 && height <= 320))
    throw new Error(`size "${size}" must be 96 to 320 pixels in width and height`);
  if (ground === 'clear') return { width, height, theme: undefined, pattern: 'plain' };
  const colours = themes[ground];
  if (!colours) throw new Error(`there is no background "${ground}"`);
  if (!patterns[pattern]) throw new Error(`no pattern is called "${pattern}"`);
  const [base, second, shadow, ink = '#ffffff', outline = '#2b2140'] = colours;
  return { width, height, theme: { ground: base, pattern: second, shadow, ink, outline }, pattern };
}

/** Paints the background of a frame at phase `t`. A still pattern is copied from the `previous` frame. */
export function paintGround(look: Look, data: Uint8Array, t: number, previous: Uint8Array | undefined): void {
  const { theme } = look;
  if (!theme) return;
  if (previous && still.has(look.pattern)) {
    data.set(previous);
    return;
  }
  const pattern = patterns[look.pattern]!;
  const from = rgb(theme.ground);
  const to = rgb(theme.pattern);
  pointsOf(look).forEach((point, i) => {
    const share = pattern(point, t);
    const at = i * 4;
    data[at] = from[0] + (to[0] - from[0]) * share;
    data[at + 1] = from[1] + (to[1] - from[1]) * share;
    data[at + 2] = from[2] + (to[2] - from[2]) * share;
    data[at + 3] = 255;
  });
}

let latest: { width: number; height: number; points: Point[] } | undefined;

/** Returns the points of a canvas. The latest size is cached, because all frames of a GIF need the same points. */
function pointsOf({ width, height }: Look): Point[] {
  if (latest?.width === width && latest.height === height) return latest.points;
  const half = Math.min(width, height) / 2;
  const points = Array.from({ length: width * height }, (_, i) => {
    const x = (i % width) + 0.5 - width / 2;
    const y = Math.floor(i / width) + 0.5 - height / 2;
    return { x, y, radius: Math.sqrt(x * x + y * y), angle: Math.atan2(y, x) / (2 * Math.PI), half };
  });
  latest = { width, height, points };
  return points;
}

/**
 * Turns a signed distance in pixels into a share, in four steps. More steps would use palette entries without a visible
 * difference.
 */
function edge(distance: number): number {
  return Math.round(Math.max(0, Math.min(1, distance + 0.5)) * 3) / 3;
}

function wrap(value: number): number {
  return value - Math.floor(value);
}

function rgb(hex: string): [number, number, number] {
  const value = Number.parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}
