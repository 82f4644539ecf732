import { draw, silhouette } from './canvas.ts';
import { bloom, type Effect, turn, wrap } from './scene.ts';

/** Draws letters Z drifting up from a sleeper. */
const zzz: Effect = async (scene, argument = '#ffffff') => {
  const { hero } = scene;
  const sprite = await scene.picture(`zed:${argument}`, scene.side * 0.2);
  return {
    front(canvas, t) {
      for (let i = 0; i < 3; i++) {
        const life = wrap(t + i / 3);
        const scale = bloom(life, 0.3) * (0.5 + 0.6 * life);
        if (scale < 0.08) continue;
        draw(canvas, sprite, {
          x: hero.x + hero.size * (0.2 + 0.3 * life + 0.03 * Math.sin(turn * life * 2)),
          y: hero.y - hero.size * (0.18 + 0.42 * life),
          rotate: 0.2 * Math.sin(turn * life),
          scaleX: scale,
          scaleY: scale,
        });
      }
    },
  };
};

/** Draws tears springing from both eyes. */
const tears: Effect = async (scene) => {
  const { hero } = scene;
  const sprite = await scene.picture('droplet', hero.size * 0.2);
  return {
    front(canvas, t) {
      for (let i = 0; i < 6; i++) {
        const side = i % 2 === 0 ? -1 : 1;
        const life = wrap(t + i / 6);
        const scale = bloom(life, 0.25);
        if (scale < 0.08) continue;
        const x = hero.x + side * hero.size * (0.24 + 0.34 * life);
        const y = hero.y + hero.size * (-0.06 - 0.5 * life * (1 - life) * 1.6 + 0.42 * life * life);
        draw(canvas, sprite, { x, y, rotate: side * (0.9 - 0.9 * life), scaleX: scale, scaleY: scale });
      }
    },
  };
};

/** Draws a picture that comes in from the side and hits the hero's face: a palm, a kiss, a pie. */
const slap: Effect = async (scene, argument = 'raised-back-of-hand') => {
  const { hero } = scene;
  const sprite = await scene.picture(argument, hero.size * 0.62);
  const shadow = silhouette(sprite, 0.5);
  return {
    front(canvas, t) {
      // The loop starts with the hit, so that the first frame shows the joke.
      const at = wrap(t + 0.4);
      const near = Math.min(1, at / 0.2) ** 2 * Math.min(1, (1 - at) / 0.25);
      const rest = 1 - near;
      const place = {
        x: hero.x + hero.size * (0.06 + 0.34 * rest),
        y: hero.y + hero.size * (0.06 + 0.42 * rest),
        rotate: -0.35 + 0.5 * rest,
      };
      // Without its shadow, a yellow hand could not be seen on a yellow face.
      draw(canvas, shadow, { ...place, x: place.x + hero.size * 0.03, y: place.y + hero.size * 0.035 });
      draw(canvas, sprite, place);
    },
  };
};

/** Draws pixel sunglasses that come down onto the face and stay: deal with it. */
const shades: Effect = async (scene) => {
  const { hero } = scene;
  const sprite = await scene.picture('shades', hero.size * 0.86);
  return {
    front(canvas, t) {
      const at = wrap(t + 0.5);
      const down = at < 0.4 ? (at / 0.4) ** 0.8 : at > 0.88 ? 1 - (at - 0.88) / 0.12 : 1;
      draw(canvas, sprite, {
        x: hero.x,
        y: hero.y - hero.size * (0.09 + 0.72 * (1 - down)),
        rotate: 0.16 * (1 - down),
      });
    },
  };
};

/** Draws red beams out of both eyes. */
const laser: Effect = async (scene, argument = '#ff2d2d') => {
  const { hero } = scene;
  const beam = await scene.picture(`beam:${argument}`, scene.width);
  const glow = await scene.picture(`glow:${argument}`, hero.size * 0.24);
  return {
    front(canvas, t) {
      const power = 0.6 + 0.4 * Math.abs(Math.sin(turn * t * 2));
      const angle = 0.42 + 0.12 * Math.sin(turn * t);
      const length = scene.width / 2;
      for (const side of [-0.19, 0.19]) {
        const x = hero.x + side * hero.size;
        const y = hero.y - hero.size * 0.1;
        draw(canvas, beam, {
          x: x + Math.cos(angle) * length,
          y: y + Math.sin(angle) * length,
          rotate: angle,
          scaleY: 0.42 * power,
        });
        draw(canvas, glow, { x, y, scaleX: power, scaleY: power });
      }
    },
  };
};

/** Draws a thought bubble with three dots, which light up one after another. */
const thinking: Effect = async (scene) => {
  const { hero } = scene;
  const size = hero.size * 0.62;
  const [cloud, dot] = await Promise.all([scene.picture('thought', size), scene.picture('dot:#2b2140', size * 0.12)]);
  return {
    front(canvas, t) {
      const x = hero.x + hero.size * 0.44;
      const y = hero.y - hero.size * 0.4;
      draw(canvas, cloud, { x, y });
      for (let i = 0; i < 3; i++) {
        const up = Math.max(0, Math.sin(turn * (t - i * 0.14)));
        const place = { x: x + size * (0.05 + (i - 1) * 0.2), y: y - size * (0.13 + 0.08 * up) };
        draw(canvas, dot, { ...place, scaleX: 0.85 + 0.3 * up, scaleY: 0.85 + 0.3 * up });
      }
    },
  };
};

/** Draws a second hero coming from the right to meet the first, with a spark where they touch. */
const meets: Effect = async (scene, argument = 'left-facing-fist') => {
  const { hero } = scene;
  const other = await scene.picture(argument, hero.size);
  const spark = await scene.picture('spark:#ffe14d', hero.size * 0.7);
  return {
    front(canvas, t) {
      const apart = Math.max(0, Math.sin(turn * t));
      const hit = Math.max(0, -Math.sin(turn * t));
      draw(canvas, other, { x: hero.x + hero.size * (0.38 + 0.22 * apart), y: hero.y, rotate: turn * 0.02 * apart });
      if (hit > 0.08) draw(canvas, spark, { x: hero.x, y: hero.y - hero.size * 0.32, scaleX: hit, scaleY: hit });
    },
  };
};

/** Draws a small companion hovering at the hero's upper right. */
const badge: Effect = async (scene, argument = 'sparkles') => {
  const { hero } = scene;
  const sprite = await scene.picture(argument, hero.size * 0.42);
  return {
    front(canvas, t) {
      const scale = 1 + 0.12 * Math.sin(turn * t);
      const place = {
        x: hero.x + hero.size * 0.42,
        y: hero.y - hero.size * (0.36 + 0.03 * Math.sin(turn * (t + 0.2))),
      };
      draw(canvas, sprite, { ...place, rotate: 0.12 * Math.sin(turn * (t + 0.4)), scaleX: scale, scaleY: scale });
    },
  };
};

export const faceEffects: Record<string, Effect> = { zzz, tears, slap, shades, laser, thinking, meets, badge };
