/** Computes tile positions only from the sizes of the GIFs, so that nothing moves when images load. */

export interface Size {
  width: number;
  height: number;
}

/**
 * A rectangle in CSS pixels, measured from the top left corner of the grid, or from the top right in right-to-left
 * text.
 */
export interface Box extends Size {
  left: number;
  top: number;
}

export interface Layout {
  boxes: readonly Box[];
  height: number;
}

export interface LayoutOptions {
  /** Width of the grid. */
  width: number;
  gap: number;
  /** Minimum column width if at least two columns fit, or approximate row height, in CSS pixels. */
  size: number;
}

/**
 * Limit extreme proportions. A very tall tile would push all others out of view, and a very flat tile would be
 * invisible.
 */
const MOST_TALL = 2;
const MOST_FLAT = 1 / 4;

/** Lays tiles in columns of equal width. Each tile goes into the shortest column. */
export function layColumns(sizes: readonly Size[], { width, gap, size }: LayoutOptions): Layout {
  const columns = Math.max(2, Math.floor((width + gap) / (size + gap)));
  const column = (width - gap * (columns - 1)) / columns;
  const ends = new Array<number>(columns).fill(0);
  const boxes = sizes.map((of) => {
    const shortest = ends.indexOf(Math.min(...ends));
    const top = ends[shortest]!;
    const height = Math.round(column * Math.min(MOST_TALL, Math.max(MOST_FLAT, of.height / of.width)));
    ends[shortest] = top + height + gap;
    return { left: shortest * (column + gap), top, width: column, height };
  });
  return { boxes, height: Math.max(0, Math.max(...ends) - gap) };
}

/** Lays tiles in rows that fill the width. The last row is stretched only if it nearly fills the width. */
export function layRows(sizes: readonly Size[], { width, gap, size }: LayoutOptions): Layout {
  const boxes: Box[] = [];
  let top = 0;
  let row: number[] = [];
  const close = (isLast: boolean) => {
    const ratios = row.reduce((sum, ratio) => sum + ratio, 0);
    const full = (width - gap * (row.length - 1)) / ratios;
    const exact = isLast ? Math.min(full, size * 1.2) : full;
    const height = Math.round(exact);
    let left = 0;
    for (const ratio of row) {
      boxes.push({ left, top, width: ratio * exact, height });
      left += ratio * exact + gap;
    }
    top += height + gap;
    row = [];
  };
  for (const of of sizes) {
    row.push(Math.min(1 / MOST_FLAT, Math.max(1 / MOST_TALL, of.width / of.height)));
    const wide = row.reduce((sum, ratio) => sum + ratio, 0) * size + gap * (row.length - 1);
    if (wide >= width) close(false);
  }
  if (row.length > 0) close(true);
  return { boxes, height: Math.max(0, top - gap) };
}

/** Puts the boxes of a layout below the boxes of another layout. @param space height between the two layouts */
export function stack(upper: Layout, lower: Layout, space: number): Layout {
  const start = upper.height + space;
  const moved = lower.boxes.map((box) => ({ ...box, top: start + box.top }));
  return { boxes: [...upper.boxes, ...moved], height: start + lower.height };
}

/** Returns the indices of the boxes within a vertical range. */
export function boxesWithin({ boxes }: Layout, from: number, to: number): number[] {
  return boxes.flatMap(({ top, height }, i) => (top + height > from && top < to ? [i] : []));
}

export type Direction = 'up' | 'down' | 'left' | 'right';

/** Weight of a horizontal offset. Moving down should stay in the column if possible. */
const ASIDE = 1e4;
/** Weight that decides between boxes at the same distance: the best aligned box wins. */
const OFF_LEVEL = 1e-3;

/** Returns the box that an arrow key leads to, or undefined at the edge. */
export function neighbour({ boxes }: Layout, from: number, direction: Direction): number | undefined {
  const start = boxes[from];
  if (start === undefined) return undefined;
  const isVertical = direction === 'up' || direction === 'down';
  const sign = direction === 'down' || direction === 'right' ? 1 : -1;
  let best: number | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const [i, box] of boxes.entries()) {
    const ahead = sign * (isVertical ? box.top - start.top : box.left - start.left);
    const aside = isVertical
      ? distance(start.left, start.width, box.left, box.width)
      : distance(start.top, start.height, box.top, box.height);
    if (ahead <= 0.5 || (!isVertical && aside > 0)) continue;
    const far = ahead + ASIDE * aside + OFF_LEVEL * offLevel(start, box, isVertical);
    if (far < least) {
      least = far;
      best = i;
    }
  }
  return best;
}

/** Returns the distance between the centres of two boxes, across the direction of movement. */
function offLevel(a: Box, b: Box, isVertical: boolean): number {
  const twice = isVertical ? 2 * (a.left - b.left) + a.width - b.width : 2 * (a.top - b.top) + a.height - b.height;
  return Math.abs(twice) / 2;
}

/** Returns the distance between two intervals, or 0 if they overlap. */
function distance(a: number, aLength: number, b: number, bLength: number): number {
  return Math.max(0, b - (a + aLength), a - (b + bLength));
}
