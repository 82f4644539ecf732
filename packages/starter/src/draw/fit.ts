import type { Sprite } from './canvas.ts';
import type { Motion, Pose } from './motions.ts';

/**
 * The room that a hero leaves for effects. It is given as the share of the free part that the hero fills, and the
 * distance by which the hero moves down, in hero sizes.
 */
export interface Room {
  readonly fill: number;
  readonly shift: number;
}

interface Point {
  x: number;
  y: number;
}

/**
 * Returns the points of a picture that are farthest from its centre in 24 directions, relative to the centre and in
 * picture sizes.
 */
export function outlineOf(sprite: Sprite): Point[] {
  const best = Array.from({ length: 24 }, () => ({ reach: 0, x: 0, y: 0 }));
  for (let i = 3, at = 0; i < sprite.data.length; i += 4, at++) {
    if (sprite.data[i]! < 64) continue;
    const x = ((at % sprite.width) + 0.5) / sprite.width - 0.5;
    const y = (Math.floor(at / sprite.width) + 0.5) / sprite.height - 0.5;
    best.forEach((found, direction) => {
      const angle = (direction / best.length) * 2 * Math.PI;
      const reach = x * Math.cos(angle) + y * Math.sin(angle);
      if (reach > found.reach) Object.assign(found, { reach, x, y });
    });
  }
  return best.map(({ x, y }) => ({ x, y }));
}

/**
 * Returns the position at rest and the size of a hero, chosen so that its motion never leaves the free part of the
 * canvas.
 */
export function heroBox(
  outline: Point[],
  motion: Motion,
  free: { width: number; top: number; bottom: number; room: Room },
): { x: number; y: number; size: number } {
  const { fill, shift } = free.room;
  const height = free.bottom - free.top;
  if (motion.bleeds) {
    const size = 0.9 * fill * Math.min(free.width, height);
    return { x: free.width / 2, y: (free.top + free.bottom) / 2 + shift * size, size };
  }
  const box = { left: 0, right: 0, top: 0, bottom: 0 };
  for (let i = 0; i < motion.frames; i++) {
    const pose = motion.pose(i / motion.frames);
    for (const point of outline) {
      const { x, y } = carried(point, pose);
      box.left = Math.min(box.left, x);
      box.right = Math.max(box.right, x);
      box.top = Math.min(box.top, y);
      box.bottom = Math.max(box.bottom, y);
    }
  }
  const size = 0.94 * fill * Math.min(free.width / (box.right - box.left), height / (box.bottom - box.top));
  return {
    x: free.width / 2 - ((box.left + box.right) / 2) * size,
    y: (free.top + free.bottom) / 2 + (shift - (box.top + box.bottom) / 2) * size,
    size,
  };
}

function carried(point: Point, pose: Pose): Point {
  const { x = 0, y = 0, rotate = 0, scaleX = 1, scaleY = 1, pivot = { x: 0, y: 0 } } = pose;
  const angle = rotate * 2 * Math.PI;
  const armX = (point.x - pivot.x) * scaleX;
  const armY = (point.y - pivot.y) * scaleY;
  return {
    x: x + pivot.x + armX * Math.cos(angle) - armY * Math.sin(angle),
    y: y + pivot.y + armX * Math.sin(angle) + armY * Math.cos(angle),
  };
}
