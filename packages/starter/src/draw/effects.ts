import { draw } from './canvas.ts';
import { faceEffects } from './effects-face.ts';
import { skyEffects } from './effects-sky.ts';
import type { Room } from './fit.ts';
import { bloom, type Effect, many, partyColours, turn, wrap } from './scene.ts';

/** Draws pieces of paper falling and turning. */
const confetti: Effect = async (scene, argument) => {
  const colours = argument ? argument.split(',') : partyColours;
  const shapes = ['paper', 'dot', 'paper', 'streamer'];
  const pieces = await Promise.all(
    many(26, async (i) => ({
      x: (i + scene.random()) / 26,
      y: scene.random(),
      sway: (scene.random() - 0.5) * 0.1,
      phase: scene.random(),
      spin: scene.random() < 0.5 ? 1 : -1,
      // This property comes last. Pictures arrive in any order, so all random numbers must be drawn before the first
      // `await`.
      sprite: await scene.picture(
        `${shapes[i % shapes.length]}:${colours[i % colours.length]}`,
        scene.side * (0.05 + 0.025 * scene.random()),
      ),
    })),
  );
  const paint = (every: number) => (canvas: Parameters<typeof draw>[0], t: number) => {
    pieces.forEach((piece, i) => {
      if (i % 2 !== every) return;
      const fall = wrap(piece.y + t);
      draw(canvas, piece.sprite, {
        x: (piece.x + piece.sway * Math.sin(turn * (t + piece.phase))) * scene.width,
        y: (fall * 1.16 - 0.08) * scene.height,
        rotate: turn * piece.spin * (t + piece.phase),
        scaleY: Math.cos(turn * (t * 2 + piece.phase)),
      });
    });
  };
  return { back: paint(0), front: paint(1) };
};

/** Draws copies of a picture falling past the hero, most of them behind it. */
const rain: Effect = async (scene, argument = 'droplet') => {
  const drops = await Promise.all(
    many(13, async (i) => ({
      x: (((i * 5) % 13) + 0.5) / 13,
      y: wrap(i * 0.37 + scene.random() * 0.12),
      tilt: (scene.random() - 0.5) * 0.6,
      rounds: i % 3 === 1 ? 2 : 1,
      sprite: await scene.picture(argument, scene.side * [0.13, 0.17, 0.11][i % 3]!),
    })),
  );
  const paint = (front: boolean) => (canvas: Parameters<typeof draw>[0], t: number) => {
    drops.forEach((drop, i) => {
      if ((i % 4 === 1) !== front) return;
      draw(canvas, drop.sprite, {
        x: drop.x * scene.width,
        y: (wrap(drop.y + t * drop.rounds) * 1.36 - 0.18) * scene.height,
        rotate: drop.tilt + 0.15 * Math.sin(turn * (t + drop.y)),
      });
    });
  };
  return { back: paint(false), front: paint(true) };
};

/** Draws copies of a picture rising from the hero, swaying, and shrinking away. */
const rise: Effect = async (scene, argument = 'red-heart') => {
  const { hero } = scene;
  const sprite = await scene.picture(argument, scene.side * 0.17);
  const floats = many(8, (i) => ({
    x: [-0.52, 0.46, -0.3, 0.56, -0.6, 0.34, -0.44, 0.6][i]! * hero.size,
    phase: wrap(i * 0.382),
    size: 0.75 + 0.5 * scene.random(),
    sway: 0.05 + 0.04 * scene.random(),
  }));
  return {
    front(canvas, t) {
      for (const each of floats) {
        const life = wrap(t + each.phase);
        const scale = each.size * bloom(life, 0.25);
        if (scale === 0) continue;
        draw(canvas, sprite, {
          x: hero.x + each.x + Math.sin(turn * (life * 1.5 + each.phase)) * each.sway * scene.side,
          y: hero.y + hero.size * (0.42 - 1.02 * life),
          rotate: 0.25 * Math.sin(turn * (life + each.phase)),
          scaleX: scale,
          scaleY: scale,
        });
      }
    },
  };
};

/** Draws copies of a picture flying out of the hero in all directions. */
const burst: Effect = async (scene, argument = 'spark:#ffe14d') => {
  const { hero } = scene;
  const sprite = await scene.picture(argument, scene.side * 0.15);
  const rays = many(14, (i) => ({
    angle: turn * (i / 14 + 0.02 * scene.random()),
    phase: i % 2 === 0 ? 0 : 0.5,
    size: 0.7 + 0.5 * scene.random(),
  }));
  return {
    back(canvas, t) {
      for (const ray of rays) {
        const life = wrap(t + ray.phase);
        const reach = hero.size * (0.2 + 0.52 * (1 - (1 - life) ** 2));
        const scale = ray.size * bloom(life, 0.3);
        if (scale === 0) continue;
        const x = hero.x + Math.cos(ray.angle) * reach * Math.max(1, scene.width / scene.height);
        draw(canvas, sprite, {
          x,
          y: hero.y + Math.sin(ray.angle) * reach,
          rotate: ray.angle + life,
          scaleX: scale,
          scaleY: scale,
        });
      }
    },
  };
};

/**
 * Draws copies of a picture circling the hero on a tilted ring: behind the hero in the upper half, in front of it in
 * the lower half.
 */
const orbit: Effect = async (scene, argument = 'star:#ffe14d') => {
  const { hero } = scene;
  const sprite = await scene.picture(argument, scene.side * 0.16);
  const paint = (front: boolean) => (canvas: Parameters<typeof draw>[0], t: number) => {
    for (let i = 0; i < 5; i++) {
      const angle = turn * ((t + i) / 5);
      const depth = Math.sin(angle);
      if (depth > 0 !== front) continue;
      const scale = 0.85 + 0.25 * depth;
      const x = hero.x + Math.cos(angle) * hero.size * 0.6;
      draw(canvas, sprite, { x, y: hero.y + depth * hero.size * 0.3, scaleX: scale, scaleY: scale });
    }
  };
  return { back: paint(false), front: paint(true) };
};

/** Draws small stars that twinkle around the hero. */
const sparkle: Effect = async (scene, argument = '#fff3a6') => {
  const { hero } = scene;
  const sprite = await scene.picture(`spark:${argument}`, scene.side * 0.17);
  const places = [
    [-0.5, -0.4],
    [0.48, -0.46],
    [0.56, 0.1],
    [-0.56, 0.2],
    [0.38, 0.46],
    [-0.3, 0.5],
  ] as const;
  return {
    front(canvas, t) {
      places.forEach(([x, y], i) => {
        const scale = Math.max(0, Math.sin(turn * (t + i * 0.29))) ** 1.5 * (i % 2 === 0 ? 1 : 0.7);
        if (scale < 0.08) return;
        const place = { x: hero.x + x * hero.size, y: hero.y + y * hero.size };
        draw(canvas, sprite, { ...place, scaleX: scale, scaleY: scale });
      });
    },
  };
};

/** Draws short thick lines that flash around the hero, as in a comic. */
const lines: Effect = async (scene, argument) => {
  const { hero } = scene;
  const colour = argument ?? (scene.theme ? '#ffffff' : '#ffb703');
  const sprite = await scene.picture(`line:${colour}`, hero.size * 0.2);
  return {
    back(canvas, t) {
      const beat = wrap(t * 2);
      const scale = bloom(beat, 0.35);
      if (scale < 0.08) return;
      for (let i = 0; i < 10; i++) {
        const angle = turn * (i / 10) - turn / 4 + turn / 20;
        const reach = hero.size * (0.5 + 0.12 * beat);
        const place = { x: hero.x + Math.cos(angle) * reach, y: hero.y + Math.sin(angle) * reach };
        draw(canvas, sprite, { ...place, rotate: angle + turn / 4, scaleX: scale, scaleY: scale });
      }
    },
  };
};

/** Draws wind lines rushing past. */
const speed: Effect = async (scene, argument) => {
  const colour = argument ?? (scene.theme ? '#ffffff' : '#9fb4cc');
  const sprite = await scene.picture(`streak:${colour}`, scene.side * 0.26);
  const streaks = many(8, (i) => ({ y: (i + 0.5) / 8, phase: wrap(i * 0.618), rounds: 1 + (i % 2) }));
  return {
    back(canvas, t) {
      for (const streak of streaks) {
        const x = (wrap(streak.phase + t * streak.rounds) * 1.6 - 0.3) * scene.width;
        draw(canvas, sprite, { x, y: streak.y * scene.height, scaleY: 0.7 });
      }
    },
  };
};

/** Draws rings spreading from the hero. */
const ripple: Effect = async (scene, argument) => {
  const { hero } = scene;
  const sprite = await scene.picture(`ring:${argument ?? (scene.theme ? '#ffffff' : '#ffb703')}`, hero.size * 1.4);
  return {
    back(canvas, t) {
      for (const phase of [0, 0.5]) {
        const life = wrap(t + phase);
        const scale = 0.3 + 0.7 * life;
        draw(canvas, sprite, { x: hero.x, y: hero.y, scaleX: scale, scaleY: scale, alpha: scene.theme ? 1 - life : 1 });
      }
    },
  };
};

/** Every effect that a catalogue line can name after a `+`. */
export const effects: Record<string, Effect> = {
  confetti,
  rain,
  rise,
  burst,
  orbit,
  sparkle,
  lines,
  speed,
  ripple,
  ...skyEffects,
  ...faceEffects,
};

/** The room that the hero leaves for each effect. Effects that are not listed need no room. */
const rooms: Record<string, Room> = {
  rise: { fill: 0.84, shift: 0.02 },
  burst: { fill: 0.8, shift: 0 },
  orbit: { fill: 0.78, shift: 0 },
  sparkle: { fill: 0.86, shift: 0 },
  lines: { fill: 0.76, shift: 0 },
  steam: { fill: 0.8, shift: 0.13 },
  exhaust: { fill: 0.8, shift: -0.08 },
  ripple: { fill: 0.8, shift: 0 },
  zzz: { fill: 0.78, shift: 0.12 },
  thinking: { fill: 0.74, shift: 0.14 },
  badge: { fill: 0.84, shift: 0.06 },
  meets: { fill: 0.76, shift: 0.04 },
  tears: { fill: 0.9, shift: 0 },
};

/** The room that all the effects of an entry need together. */
export function roomFor(names: readonly string[]): Room {
  const found = names.flatMap((name) => rooms[name] ?? []);
  const fill = Math.min(1, ...found.map((room) => room.fill));
  return { fill, shift: found.reduce((sum, room) => sum + room.shift, 0) };
}
