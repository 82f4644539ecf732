/** A picture with premultiplied alpha and an empty border of at least one pixel, so that sampling needs no bounds checks. */
export interface Sprite {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
  /**
   * The same picture at half size, made when it is first needed. Without it, a picture that is drawn very small would
   * flicker.
   */
  half?: Sprite;
}

/** The position of a sprite's centre, in pixels. `rotate` is in radians. */
export interface Placement {
  x: number;
  y: number;
  rotate?: number;
  scaleX?: number;
  scaleY?: number;
  alpha?: number;
}

export interface Canvas {
  readonly width: number;
  readonly height: number;
  /** Premultiplied RGBA. */
  readonly data: Uint8Array;
}

/**
 * Minimum absolute scale. Closer to zero, a sprite would vanish, and the inverse of the scale would become too large.
 */
const thinnest = 0.04;

/** Draws a sprite onto the canvas, rotated and scaled about its centre, with bilinear sampling. */
export function draw(canvas: Canvas, sprite: Sprite, placement: Placement): void {
  const { rotate = 0, alpha = 1 } = placement;
  let scaleX = awayFromZero(placement.scaleX ?? 1);
  let scaleY = awayFromZero(placement.scaleY ?? 1);
  let picture = sprite;
  while (Math.max(Math.abs(scaleX), Math.abs(scaleY)) < 0.55 && picture.width > 16) {
    picture = halved(picture);
    scaleX *= 2;
    scaleY *= 2;
  }
  const cos = Math.cos(rotate);
  const sin = Math.sin(rotate);
  const reachX = (Math.abs(cos * scaleX) * picture.width + Math.abs(sin * scaleY) * picture.height) / 2;
  const reachY = (Math.abs(sin * scaleX) * picture.width + Math.abs(cos * scaleY) * picture.height) / 2;
  const top = Math.max(0, Math.floor(placement.y - reachY));
  const bottom = Math.min(canvas.height, Math.ceil(placement.y + reachY));
  const left = Math.max(0, Math.floor(placement.x - reachX));
  const right = Math.min(canvas.width, Math.ceil(placement.x + reachX));
  // One step to the right on the canvas moves by (stepU, stepV) in the picture.
  const stepU = cos / scaleX;
  const stepV = -sin / scaleY;
  const strength = Math.round(Math.max(0, Math.min(1, alpha)) * 256);
  for (let y = top; y < bottom; y++) {
    const dx = left + 0.5 - placement.x;
    const dy = y + 0.5 - placement.y;
    const u = (cos * dx + sin * dy) / scaleX + picture.width / 2 - 0.5;
    const v = (-sin * dx + cos * dy) / scaleY + picture.height / 2 - 0.5;
    drawRow(canvas, picture, { at: (y * canvas.width + left) * 4, count: right - left, u, v, stepU, stepV, strength });
  }
}

interface Row {
  at: number;
  count: number;
  u: number;
  v: number;
  stepU: number;
  stepV: number;
  strength: number;
}

function drawRow(canvas: Canvas, picture: Sprite, row: Row): void {
  const { data: to } = canvas;
  const { data: from, width, height } = picture;
  const stride = width * 4;
  const lastU = width - 1;
  const lastV = height - 1;
  for (let i = 0; i < row.count; i++) {
    const u = row.u + i * row.stepU;
    const v = row.v + i * row.stepV;
    if (u < 0 || v < 0 || u >= lastU || v >= lastV) continue;
    const column = u | 0;
    const line = v | 0;
    const fx = ((u - column) * 256) | 0;
    const fy = ((v - line) * 256) | 0;
    const a = line * stride + column * 4;
    const b = a + stride;
    const w11 = fx * fy;
    const w10 = (fx << 8) - w11;
    const w01 = (fy << 8) - w11;
    const w00 = 65536 - w10 - w01 - w11;
    const cover = mix(from, a + 3, b + 3, w00, w10, w01, w11);
    if (cover === 0) continue;
    const at = row.at + i * 4;
    const red = mix(from, a, b, w00, w10, w01, w11);
    const green = mix(from, a + 1, b + 1, w00, w10, w01, w11);
    const blue = mix(from, a + 2, b + 2, w00, w10, w01, w11);
    const strength = row.strength;
    const keep = 255 - ((cover * strength) >> 8);
    to[at] = ((red * strength) >> 8) + (keep === 0 ? 0 : div255(to[at]! * keep));
    to[at + 1] = ((green * strength) >> 8) + (keep === 0 ? 0 : div255(to[at + 1]! * keep));
    to[at + 2] = ((blue * strength) >> 8) + (keep === 0 ? 0 : div255(to[at + 2]! * keep));
    to[at + 3] = 255 - keep + (keep === 0 ? 0 : div255(to[at + 3]! * keep));
  }
}

// biome-ignore lint/complexity/useMaxParams: the inner loop of every frame; an object per pixel costs more than the call
function mix(from: Uint8Array, a: number, b: number, w00: number, w10: number, w01: number, w11: number): number {
  return (from[a]! * w00 + from[a + 4]! * w10 + from[b]! * w01 + from[b + 4]! * w11 + 32768) >>> 16;
}

function div255(value: number): number {
  return ((value + 128) * 257) >>> 16;
}

function awayFromZero(scale: number): number {
  return Math.abs(scale) < thinnest ? (scale < 0 ? -thinnest : thinnest) : scale;
}

function halved(sprite: Sprite): Sprite {
  if (sprite.half) return sprite.half;
  const width = sprite.width >> 1;
  const height = sprite.height >> 1;
  const data = new Uint8Array(width * height * 4);
  const stride = sprite.width * 4;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width * 4; x++) {
      const from = y * 2 * stride + (x >> 2) * 8 + (x & 3);
      const sum =
        sprite.data[from]! + sprite.data[from + 4]! + sprite.data[from + stride]! + sprite.data[from + stride + 4]!;
      data[y * width * 4 + x] = (sum + 2) >> 2;
    }
  }
  sprite.half = { width, height, data };
  return sprite.half;
}

/** Returns the shape of a picture in a dark brown of the given strength, to be drawn beneath it as its shadow. */
export function silhouette(sprite: Sprite, strength: number): Sprite {
  const data = new Uint8Array(sprite.data.length);
  for (let i = 3; i < data.length; i += 4) {
    const alpha = sprite.data[i]! * strength;
    data[i - 3] = alpha * 0.32;
    data[i - 2] = alpha * 0.16;
    data[i - 1] = alpha * 0.02;
    data[i] = alpha;
  }
  return { width: sprite.width, height: sprite.height, data };
}

/** Returns the same picture with its colours turned around the colour wheel. A `turn` of 1 is a full turn. */
export function hueTurned(sprite: Sprite, turn: number): Sprite {
  const cos = Math.cos(turn * 2 * Math.PI);
  const sin = Math.sin(turn * 2 * Math.PI);
  // The matrix of the CSS filter hue-rotate().
  const [r, g, b] = [0.213, 0.715, 0.072];
  const m = [
    [r + cos * (1 - r) - sin * r, g - cos * g - sin * g, b - cos * b + sin * (1 - b)],
    [r - cos * r + sin * 0.143, g + cos * (1 - g) + sin * 0.14, b - cos * b - sin * 0.283],
    [r - cos * r - sin * (1 - r), g - cos * g + sin * g, b + cos * (1 - b) + sin * b],
  ].flat() as [number, number, number, number, number, number, number, number, number];
  const data = new Uint8Array(sprite.data.length);
  for (let i = 0; i < data.length; i += 4) {
    const alpha = sprite.data[i + 3]!;
    if (alpha === 0) continue;
    const red = sprite.data[i]!;
    const green = sprite.data[i + 1]!;
    const blue = sprite.data[i + 2]!;
    data[i] = Math.max(0, Math.min(alpha, m[0] * red + m[1] * green + m[2] * blue));
    data[i + 1] = Math.max(0, Math.min(alpha, m[3] * red + m[4] * green + m[5] * blue));
    data[i + 2] = Math.max(0, Math.min(alpha, m[6] * red + m[7] * green + m[8] * blue));
    data[i + 3] = alpha;
  }
  return { width: sprite.width, height: sprite.height, data };
}

/**
 * A pixel with an alpha below this value becomes empty. All other pixels become opaque in their own colour, so that no
 * halo appears. (GIF pixels are either opaque or empty.)
 */
const cut = 112;

/** Turns premultiplied pixels into straight pixels, as an encoder expects. Each of them is either opaque or empty. */
export function hardenEdges(data: Uint8Array): void {
  for (let i = 0; i < data.length; i += 4) {
    const alpha = data[i + 3]!;
    if (alpha === 255) continue;
    if (alpha < cut) {
      data.fill(0, i, i + 4);
      continue;
    }
    data[i] = Math.min(255, (data[i]! * 255) / alpha);
    data[i + 1] = Math.min(255, (data[i + 1]! * 255) / alpha);
    data[i + 2] = Math.min(255, (data[i + 2]! * 255) / alpha);
    data[i + 3] = 255;
  }
}
