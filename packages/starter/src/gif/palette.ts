/** One palette for all frames of a GIF. Colours that stay the same from frame to frame do not flicker. */
export interface Palette {
  /** Red, green and blue: three bytes per colour. */
  readonly colours: Uint8Array;
  readonly size: number;
  /** Returns the palette's colour for a pixel. */
  indexOf(red: number, green: number, blue: number): number;
}

/**
 * Number of cells in which colours are counted. Each cell is 4 x 4 x 4 colours, which is finer than the eye can see.
 * There are few enough cells to search all of them.
 */
const cells = 64 * 64 * 64;

function cellOf(red: number, green: number, blue: number): number {
  return ((red >> 2) << 12) | ((green >> 2) << 6) | (blue >> 2);
}

/**
 * Returns each pixel of RGBA data as one number, for a single comparison. The data must start at a multiple of four.
 */
export function wordsOf(data: Uint8Array): Uint32Array {
  return new Uint32Array(data.buffer, data.byteOffset, data.length / 4);
}

interface Sums {
  /** The cells that occur. */
  used: number[];
  red: Float64Array;
  green: Float64Array;
  blue: Float64Array;
  weight: Float64Array;
}

/** Picks at most `limit` colours for the opaque pixels of straight RGBA data. */
export function choosePalette(data: Uint8Array, limit: number): Palette {
  const sums = countCells(data);
  const boxes = splitBoxes(sums, limit);
  const colours = new Float64Array(boxes.length * 3);
  for (const [i, box] of boxes.entries()) colours.set([box.red, box.green, box.blue], i * 3);
  const nearest = new Uint8Array(cells);
  // One round of k-means after the split, because the boxes have straight borders, but clusters of colours do not.
  assign(sums, colours, nearest);
  recentre(sums, colours, nearest);
  assign(sums, colours, nearest);
  return {
    colours: Uint8Array.from(colours, (value) => Math.round(value)),
    size: boxes.length,
    indexOf: (red, green, blue) => nearest[cellOf(red, green, blue)]!,
  };
}

function countCells(data: Uint8Array): Sums {
  const total = new Uint32Array(cells);
  const red = new Float64Array(cells);
  const green = new Float64Array(cells);
  const blue = new Float64Array(cells);
  // Flat artwork has long runs of equal pixels, so a pixel that equals the previous one only lengthens the run.
  const words = wordsOf(data);
  for (let i = 0; i < words.length; ) {
    const word = words[i]!;
    const start = i;
    while (++i < words.length && words[i] === word);
    const at = start * 4;
    if (data[at + 3] === 0) continue;
    const run = i - start;
    const cell = cellOf(data[at]!, data[at + 1]!, data[at + 2]!);
    total[cell]! += run;
    red[cell]! += run * data[at]!;
    green[cell]! += run * data[at + 1]!;
    blue[cell]! += run * data[at + 2]!;
  }
  const used: number[] = [];
  const weight = new Float64Array(cells);
  for (let cell = 0; cell < cells; cell++) {
    const count = total[cell]!;
    if (count === 0) continue;
    used.push(cell);
    red[cell]! /= count;
    green[cell]! /= count;
    blue[cell]! /= count;
    // A large background must not use up the palette that the small picture in front of it needs.
    weight[cell] = count ** 0.6;
  }
  return { used, red, green, blue, weight };
}

interface Box {
  members: number[];
  red: number;
  green: number;
  blue: number;
  axis: 'red' | 'green' | 'blue';
  /** Weighted variance along the widest axis. The larger it is, the more a cut improves the palette. */
  spread: number;
}

function splitBoxes(sums: Sums, limit: number): Box[] {
  const boxes = [measure(sums, sums.used)];
  while (boxes.length < limit) {
    let widest = 0;
    for (let i = 1; i < boxes.length; i++) if (boxes[i]!.spread > boxes[widest]!.spread) widest = i;
    const box = boxes[widest]!;
    if (box.spread < 1) break;
    const values = sums[box.axis];
    const middle = box[box.axis];
    const low = box.members.filter((cell) => values[cell]! <= middle);
    const high = box.members.filter((cell) => values[cell]! > middle);
    if (low.length === 0 || high.length === 0) break;
    boxes[widest] = measure(sums, low);
    boxes.push(measure(sums, high));
  }
  return boxes;
}

function measure(sums: Sums, members: number[]): Box {
  let weight = 0;
  const mean = { red: 0, green: 0, blue: 0 };
  const square = { red: 0, green: 0, blue: 0 };
  for (const cell of members) {
    const share = sums.weight[cell]!;
    weight += share;
    for (const axis of ['red', 'green', 'blue'] as const) {
      const value = sums[axis][cell]!;
      mean[axis] += share * value;
      square[axis] += share * value * value;
    }
  }
  // The eye distinguishes greens best and blues worst.
  const importance = { red: 1, green: 1.4, blue: 0.7 };
  let axis: Box['axis'] = 'green';
  let spread = -1;
  for (const each of ['red', 'green', 'blue'] as const) {
    mean[each] /= weight || 1;
    const variance = (square[each] - weight * mean[each] ** 2) * importance[each];
    if (variance > spread) {
      spread = variance;
      axis = each;
    }
  }
  return { members, ...mean, axis, spread };
}

function assign(sums: Sums, colours: Float64Array, nearest: Uint8Array): void {
  for (const cell of sums.used) {
    const red = sums.red[cell]!;
    const green = sums.green[cell]!;
    const blue = sums.blue[cell]!;
    let best = 0;
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0, at = 0; at < colours.length; i++, at += 3) {
      const r = red - colours[at]!;
      const g = green - colours[at + 1]!;
      const b = blue - colours[at + 2]!;
      const distance = r * r + 1.4 * g * g + 0.7 * b * b;
      if (distance < least) {
        least = distance;
        best = i;
      }
    }
    nearest[cell] = best;
  }
}

function recentre(sums: Sums, colours: Float64Array, nearest: Uint8Array): void {
  const total = new Float64Array(colours.length / 3);
  const moved = new Float64Array(colours.length);
  for (const cell of sums.used) {
    const i = nearest[cell]!;
    const weight = sums.weight[cell]!;
    total[i]! += weight;
    moved[i * 3]! += weight * sums.red[cell]!;
    moved[i * 3 + 1]! += weight * sums.green[cell]!;
    moved[i * 3 + 2]! += weight * sums.blue[cell]!;
  }
  total.forEach((weight, i) => {
    if (weight === 0) return;
    for (let channel = 0; channel < 3; channel++) colours[i * 3 + channel] = moved[i * 3 + channel]! / weight;
  });
}
