import type { Entry } from '../catalogue/entry.ts';
import { encodeGif } from '../gif/gif.ts';
import { seeded } from '../random.ts';
import { picture } from './artwork.ts';
import { type Canvas, draw, hardenEdges, hueTurned, type Sprite } from './canvas.ts';
import { type CaptionStyle, type Line, layLine } from './caption.ts';
import { effects, roomFor } from './effects.ts';
import { heroBox, outlineOf } from './fit.ts';
import { paintGround } from './look.ts';
import { type Motion, motions, type Pose } from './motions.ts';
import type { Layers, Scene } from './scene.ts';

/** Renders one GIF of the catalogue. With the same versions of the packages, the same entry gives the same bytes. */
export async function renderGif(entry: Entry): Promise<Buffer> {
  const { frames, delay } = motions[entry.motion]!;
  const { width, height } = entry.look;
  return encodeGif({ width, height, frames, delay, data: await renderFrames(entry) });
}

async function renderFrames(entry: Entry): Promise<Buffer> {
  const { look } = entry;
  const { width, height } = look;
  const motion = motions[entry.motion]!;
  const { lines, free } = await layCaption(entry, motion);
  const stage = await setStage(entry, motion, free);
  const page = width * height * 4;
  const all = Buffer.alloc(page * motion.frames);
  let ground: Uint8Array | undefined;
  for (let i = 0; i < motion.frames; i++) {
    const t = i / motion.frames;
    const canvas: Canvas = { width, height, data: all.subarray(i * page, (i + 1) * page) };
    paintGround(look, canvas.data, t, ground);
    ground ??= Uint8Array.from(canvas.data);
    for (const layer of stage.layers) layer.back?.(canvas, t);
    stage.drawHero(canvas, t);
    for (const layer of stage.layers) layer.front?.(canvas, t);
    for (const { line, y } of lines) line.draw(canvas, { x: width / 2, y }, t);
    if (!look.theme) hardenEdges(canvas.data);
  }
  return all;
}

interface Box {
  top: number;
  bottom: number;
}

/** Lays out the caption's lines and returns the part of the height that is left for the hero. */
async function layCaption(entry: Entry, motion: Motion): Promise<{ lines: { line: Line; y: number }[]; free: Box }> {
  const { width, height, theme } = entry.look;
  const style: CaptionStyle = {
    ink: theme?.ink ?? '#ffffff',
    outline: theme?.outline ?? '#2b2140',
    motion: motion.caption,
  };
  const limits = { maxWidth: width * 0.93, maxHeight: height * (entry.caption.length > 1 ? 0.21 : 0.27) };
  const laid = await Promise.all(entry.caption.map((text) => layLine(text, limits, style)));
  const margin = height * 0.035;
  const free: Box = { top: 0, bottom: height };
  const lines = laid.map((line, i) => {
    const onTop = laid.length > 1 && i === 0;
    // Letters move by a fraction of their height. The margin keeps them inside. A hop goes upwards, so the upper line
    // needs more room.
    const inset = margin + line.height * (onTop ? 0.6 : 0.5);
    if (onTop) free.top = inset + line.height * 0.46;
    else free.bottom = height - inset - line.height * 0.46;
    return { line, y: onTop ? inset : height - inset };
  });
  return { lines, free };
}

interface Stage {
  layers: Layers[];
  drawHero(canvas: Canvas, t: number): void;
}

async function setStage(entry: Entry, motion: Motion, free: Box): Promise<Stage> {
  const { width, height, theme } = entry.look;
  const probe = await Promise.all(entry.heroes.map((name) => picture(name, 64)));
  const room = roomFor(entry.effects.map((effect) => effect.name));
  const hero = heroBox(probe.flatMap(outlineOf), motion, { width, ...free, room });
  const sprites = await Promise.all(entry.heroes.map((name) => picture(name, hero.size)));
  const random = seeded(entry.name);
  const scene: Scene = { width, height, side: Math.min(width, height), theme, hero, random, picture };
  const layers: Layers[] = [];
  for (const { name, argument } of entry.effects) layers.push(await effects[name]!(scene, argument));
  const shadow = motion.lifts && theme && (await picture(`shadow:${theme.shadow}`, hero.size * 0.8));
  return {
    layers,
    drawHero(canvas, t) {
      const sprite = sprites[Math.floor(t * sprites.length)]!;
      if (shadow) {
        const { x = 0, y = 0 } = motion.pose(t);
        const scale = 1 + y;
        draw(canvas, shadow, { x: hero.x + x * hero.size, y: hero.y + hero.size * 0.46, scaleX: scale, scaleY: scale });
      }
      drawPose(canvas, sprite, motion.pose(t), hero);
    },
  };
}

function drawPose(canvas: Canvas, sprite: Sprite, pose: Pose, hero: { x: number; y: number; size: number }): void {
  const { x = 0, y = 0, across = 0, rotate = 0, scaleX = 1, scaleY = 1, pivot = { x: 0, y: 0 } } = pose;
  const angle = rotate * 2 * Math.PI;
  // The offset of the centre from the pivot, before it is rotated.
  const armX = -pivot.x * scaleX;
  const armY = -pivot.y * scaleY;
  draw(canvas, pose.hue ? hueTurned(sprite, pose.hue) : sprite, {
    x:
      hero.x +
      across * (canvas.width + 0.95 * hero.size) +
      hero.size * (x + pivot.x + armX * Math.cos(angle) - armY * Math.sin(angle)),
    y: hero.y + hero.size * (y + pivot.y + armX * Math.sin(angle) + armY * Math.cos(angle)),
    rotate: angle,
    scaleX,
    scaleY,
  });
}
