import { type Canvas, draw } from './canvas.ts';
import { bloom, type Effect, many, partyColours, turn, wrap } from './scene.ts';

/** Draws stars that twinkle over the whole picture. */
const stars: Effect = async (scene, argument = '#fff3a6') => {
  const sprite = await scene.picture(`spark:${argument}`, scene.side * 0.1);
  const places = many(22, (i) => ({
    x: (i + scene.random()) / 22,
    y: scene.random(),
    phase: scene.random(),
    size: 0.35 + 0.65 * scene.random(),
  }));
  return {
    back(canvas, t) {
      for (const star of places) {
        const scale = star.size * (0.55 + 0.45 * Math.sin(turn * (t + star.phase)));
        draw(canvas, sprite, { x: star.x * scene.width, y: star.y * scene.height, scaleX: scale, scaleY: scale });
      }
    },
  };
};

/** Draws flakes falling slowly. */
const snow: Effect = async (scene) => {
  const sprite = await scene.picture(`dot:${scene.theme ? '#ffffff' : '#bfe3ff'}`, scene.side * 0.055);
  const flakes = many(26, (i) => ({
    x: (i + scene.random()) / 26,
    y: scene.random(),
    size: 0.5 + 0.6 * scene.random(),
    phase: scene.random(),
  }));
  const paint = (front: boolean) => (canvas: Canvas, t: number) => {
    flakes.forEach((flake, i) => {
      if ((i % 3 === 0) !== front) return;
      const x = (flake.x + 0.025 * Math.sin(turn * (t + flake.phase))) * scene.width;
      const y = (wrap(flake.y + t) * 1.1 - 0.05) * scene.height;
      draw(canvas, sprite, { x, y, scaleX: flake.size, scaleY: flake.size });
    });
  };
  return { back: paint(false), front: paint(true) };
};

/** Draws slanted drops. */
const shower: Effect = async (scene) => {
  const sprite = await scene.picture(`streak:${scene.theme ? '#ffffff' : '#5db8f5'}`, scene.side * 0.1);
  const drops = many(24, (i) => ({ x: (i + scene.random()) / 24, y: scene.random(), rounds: 1 + (i % 2) }));
  return {
    back(canvas, t) {
      for (const drop of drops) {
        const fall = wrap(drop.y + t * drop.rounds);
        const x = wrap(drop.x - fall * 0.12) * scene.width;
        draw(canvas, sprite, { x, y: (fall * 1.2 - 0.1) * scene.height, rotate: 1.8, scaleY: 0.7 });
      }
    },
  };
};

/** Draws hills in front of a rising sun. */
const hills: Effect = async (scene) => {
  const sprite = await scene.picture('hills', Math.max(scene.width, scene.height) * 1.02);
  const y = scene.height - sprite.height * 0.36;
  return { front: (canvas) => draw(canvas, sprite, { x: scene.width / 2, y: y + sprite.height * 0.2 }) };
};

/** Draws the sparks of three rockets, one rocket after another. */
const fireworks: Effect = async (scene) => {
  const places = [
    [0.2, 0.26],
    [0.8, 0.2],
    [0.55, 0.62],
    [0.14, 0.72],
  ] as const;
  const shows = await Promise.all(
    places.map(async ([x, y], i) => ({
      x: x * scene.width,
      y: y * scene.height,
      phase: i * 0.27,
      sprite: await scene.picture(`dot:${partyColours[(i * 2 + 1) % 6]}`, scene.side * 0.05),
    })),
  );
  return {
    back(canvas, t) {
      for (const show of shows) {
        const life = wrap(t + show.phase);
        for (let ring = 1; ring <= 2; ring++) {
          const reach = scene.side * 0.15 * ring * (1 - (1 - life) ** 3);
          const scale = bloom(life, 0.45);
          for (let i = 0; i < 6 + ring * 4; i++) {
            const angle = (turn * (i + ring * 0.5)) / (6 + ring * 4);
            const x = show.x + Math.cos(angle) * reach;
            const y = show.y + Math.sin(angle) * reach + scene.side * 0.05 * life * life;
            draw(canvas, show.sprite, { x, y, scaleX: scale, scaleY: scale });
          }
        }
      }
    },
  };
};

/** Draws bolts that strike beside the hero, twice a loop. */
const lightning: Effect = async (scene, argument = '#ffe14d') => {
  const sprite = await scene.picture(`strike:${argument}`, scene.height * 0.62);
  const bolts = [
    { x: 0.15, at: 0.05, lean: 0.12 },
    { x: 0.85, at: 0.3, lean: -0.12 },
    { x: 0.24, at: 0.58, lean: 0.05 },
  ];
  return {
    back(canvas, t) {
      for (const bolt of bolts) {
        const life = wrap(t - bolt.at) / 0.24;
        if (life >= 1) continue;
        // A strike flickers: on, off, on.
        if (life > 0.35 && life < 0.55) continue;
        draw(canvas, sprite, { x: bolt.x * scene.width, y: scene.height * 0.34, rotate: bolt.lean });
      }
    },
  };
};

/** Draws steam curling up from a hot cup. */
const steam: Effect = async (scene) => {
  const { hero } = scene;
  const sprite = await scene.picture(`wisp:${scene.theme ? '#ffffff' : '#c9ced6'}`, hero.size * 0.42);
  return {
    back(canvas, t) {
      [-0.2, 0.02, 0.22].forEach((x, i) => {
        for (const phase of [0, 0.5]) {
          const life = wrap(t + phase + i * 0.19);
          const scale = bloom(life, 0.4);
          if (scale < 0.08) continue;
          draw(canvas, sprite, {
            x: hero.x + hero.size * (x + 0.03 * Math.sin(turn * (life + i * 0.3))),
            y: hero.y - hero.size * (0.2 + 0.42 * life),
            scaleX: 0.75 * scale,
            scaleY: scale,
          });
        }
      });
    },
  };
};

/** Draws smoke pouring from under a rocket. */
const exhaust: Effect = async (scene) => {
  const { hero } = scene;
  const sprites = await Promise.all(
    [scene.theme ? '#ffffff' : '#d7dbe2', '#ffb03b', '#ff7b3b'].map((colour) =>
      scene.picture(`puff:${colour}`, hero.size * 0.36),
    ),
  );
  const puffs = many(9, (i) => ({ x: (scene.random() - 0.5) * 0.9, phase: i / 9, sprite: sprites[i % 3]! }));
  return {
    back(canvas, t) {
      for (const puff of puffs) {
        const life = wrap(t + puff.phase);
        const scale = bloom(life, 0.4) * (0.6 + 0.7 * life);
        if (scale < 0.08) continue;
        const x = hero.x + hero.size * puff.x * (0.2 + life);
        draw(canvas, puff.sprite, { x, y: hero.y + hero.size * (0.3 + 0.4 * life), scaleX: scale, scaleY: scale });
      }
    },
  };
};

export const skyEffects: Record<string, Effect> = {
  stars,
  snow,
  shower,
  hills,
  fireworks,
  lightning,
  steam,
  exhaust,
};
