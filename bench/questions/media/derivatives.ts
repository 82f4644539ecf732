// Are the previews and videos of real files correct, and how many bytes do they save? (FOLDER...)
//
// Every GIF and WebP in the folders is ingested with all previews and its MP4. The checks for each file are: sizes and
// transparency of the previews; their durations, compared with those of the block walker; the first frame, compared
// with that of ffmpeg; the pictures and the duration of the MP4; and whether Chromium plays the MP4 muted, looping and
// inline.

import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from 'mediabunny';
import type { Page } from 'playwright-core';
import sharp, { type Sharp } from 'sharp';
import { Value } from 'typebox/value';
import { systemClock } from '../../../packages/server/src/base/clock.ts';
import { createLog } from '../../../packages/server/src/base/log.ts';
import {
  createMedia,
  derivativeFile,
  findVideoEncoder,
  type Ingested,
  MediaConfig,
  MediaRefusal,
  type MediaSource,
  mp4Allowed,
  previewSizes,
} from '../../../packages/server/src/media/index.ts';
import { durationOf, walk } from '../../../packages/server/src/media/walker/probe.ts';
import { FolderBlobs, readBlob } from '../../../packages/server/src/platform/blobs/index.ts';
import { Fetcher } from '../../../packages/server/src/platform/fetch/index.ts';
import { launchBrowser } from '../../../test/e2e/browser.ts';
import { endWithUsage } from '../../support/data.ts';

const FITS = ['small', 'medium', 'w240', 'w480'] as const;
/**
 * Maximum mean difference between colour values from 0 to 255. Palettes are exact, so the two decoders can differ only
 * in how they round transparency.
 */
const SAME_FRAME = 0.5;

interface Tally {
  files: number;
  refused: number;
  previews: number;
  wrongSize: string[];
  wrongTime: string[];
  lostAlpha: string[];
  firstFrames: number;
  otherFirstFrame: string[];
  videos: number;
  failedVideos: string[];
  worstVideoMs: number;
  wrongPictures: string[];
  played: number;
  notPlayed: string[];
  bytes: Record<'originals' | 'w240' | 'w480' | 'videos' | 'originalsOfVideos', number>;
}

const folders = process.argv.slice(2);
if (folders.length === 0) endWithUsage('derivatives FOLDER...', 'gifs');

const videoEncoder = await findVideoEncoder('auto');
const work = await mkdtemp(join(tmpdir(), 'zoetrope-bench-'));
const blobs = new FolderBlobs(join(work, 'media'));
const media = createMedia({
  blobs,
  config: Value.Default(MediaConfig, {}) as MediaConfig,
  fetcher: new Fetcher({ allowPrivate: false }),
  log: createLog('error'),
  clock: systemClock,
  videoEncoder,
});
const browser = await launchBrowser();
const page = await browser.newPage();
const player = await servePlayer();
await page.goto(player.url);

console.log(`video encoder: ${videoEncoder}`);
for (const folder of folders) {
  const start = performance.now();
  const tally = emptyTally();
  for (const path of await filesOf(folder)) await look(path, tally);
  report(folder, tally, (performance.now() - start) / 1000);
}
await browser.close();
player.close();
await media.close();
await rm(work, { recursive: true });

async function look(path: string, tally: Tally): Promise<void> {
  tally.files++;
  const bytes = await readFile(path);
  const facts = await media.ingest(bytes).catch((error: unknown) => {
    if (!(error instanceof MediaRefusal)) throw error;
    return null;
  });
  if (facts === null) {
    tally.refused++;
    return;
  }
  const { format, width, height, frames, durationMs, sha256 } = facts;
  const source = { id: `${sha256}.gif`, format, width, height, frames, durationMs, sha256, url: null };
  const name = basename(path).slice(0, 40);
  tally.bytes.originals += bytes.length;
  await lookAtPreviews({ name, bytes, facts, source }, tally);
  await lookAtFirstFrame({ name, bytes, facts, source }, path, tally);
  if (mp4Allowed(facts)) await lookAtVideo({ name, bytes, facts, source }, tally);
}

interface Taken {
  name: string;
  bytes: Uint8Array;
  facts: Ingested;
  source: MediaSource;
}

async function lookAtPreviews({ name, bytes, facts, source }: Taken, tally: Tally): Promise<void> {
  const hasAlpha = await isTransparent(bytes);
  for (const fit of FITS) {
    const { width, height, animated } = previewSizes(facts)[fit];
    const still = await sharp(await stored(source, fit, 'still')).metadata();
    tally.previews++;
    if (still.width !== width || still.height !== height) tally.wrongSize.push(`${name} ${fit} still`);
    if (!animated) continue;
    const preview = await stored(source, fit, 'animated');
    const walked = walk(preview);
    tally.previews++;
    if (walked.width !== width || walked.height !== height) tally.wrongSize.push(`${name} ${fit}`);
    // If all frames look alike, the preview has only one, so it is a still.
    const off = Math.abs(durationOf(walked.delays) - facts.durationMs) / facts.durationMs;
    if (walked.delays.length > 1 && off > 0.01) tally.wrongTime.push(`${name} ${fit} ${off.toFixed(3)}`);
    if (hasAlpha && !(await isTransparent(preview))) tally.lostAlpha.push(`${name} ${fit}`);
    if (fit === 'w240' || fit === 'w480') tally.bytes[fit] += preview.length;
  }
}

async function stored(source: MediaSource, fit: (typeof FITS)[number], kind: 'animated' | 'still'): Promise<Buffer> {
  return Buffer.from((await readBlob(blobs, derivativeFile(source, { fit, kind })!.key))!);
}

async function isTransparent(bytes: Uint8Array): Promise<boolean> {
  const { isOpaque } = await sharp(bytes, { failOn: 'none' }).ensureAlpha().stats();
  return !isOpaque;
}

/**
 * Compares the first frame of a GIF on black with ffmpeg's first frame. WebP files are left out, because ffmpeg 5
 * cannot read animated WebP.
 */
async function lookAtFirstFrame({ name, bytes, facts }: Taken, path: string, tally: Tally): Promise<void> {
  if (facts.format !== 'gif') return;
  const args = ['-v', 'error', '-f', 'gif', '-i', path, '-frames:v', '1', '-f', 'rawvideo', '-pix_fmt', 'rgba', '-'];
  const { stdout } = spawnSync('ffmpeg', args, { maxBuffer: 200_000_000 });
  const { width, height } = facts;
  if (stdout?.length !== width * height * 4) return;
  const raw = { width, height, channels: 4 as const };
  const onBlack = (image: Sharp): Promise<Buffer> => image.flatten({ background: '#000' }).raw().toBuffer();
  const [theirs, ours] = await Promise.all([
    onBlack(sharp(stdout, { raw })),
    onBlack(sharp(bytes, { failOn: 'none' }).toColourspace('srgb')),
  ]);
  tally.firstFrames++;
  const difference = ours.reduce((sum, value, at) => sum + Math.abs(value - theirs[at]!), 0) / ours.length;
  if (!(difference <= SAME_FRAME)) tally.otherFirstFrame.push(`${name} ${difference.toFixed(1)}`);
}

async function lookAtVideo({ name, facts, source }: Taken, tally: Tally): Promise<void> {
  const made = await media.ensure(source, { kind: 'video' }).catch((error: Error) => {
    tally.failedVideos.push(`${name}: ${error.message.slice(0, 120)}`);
    return null;
  });
  if (made === null) return;
  const file = Buffer.from((await readBlob(blobs, made.key))!);
  tally.videos++;
  tally.bytes.videos += file.length;
  tally.bytes.originalsOfVideos += facts.bytes;
  using input = new Input({ formats: ALL_FORMATS, source: new BufferSource(file) });
  const track = (await input.getPrimaryVideoTrack())!;
  let [pictures, seconds] = [0, 0];
  for await (const { duration } of new EncodedPacketSink(track).packets()) {
    pictures++;
    seconds += duration;
  }
  const isEven = track.codedWidth % 2 === 0 && track.codedHeight % 2 === 0;
  if (pictures !== facts.frames || !isEven) tally.wrongPictures.push(name);
  tally.worstVideoMs = Math.max(tally.worstVideoMs, Math.abs(seconds * 1000 - facts.durationMs));
  player.show(file);
  if (await plays(page)) tally.played++;
  else tally.notPlayed.push(name);
}

/** Returns whether the video shows a picture and its time advances. */
function plays(tab: Page): Promise<boolean> {
  return tab.evaluate(async () => {
    const video = document.createElement('video');
    Object.assign(video, { muted: true, loop: true, autoplay: true, playsInline: true });
    video.src = `/video?${crypto.randomUUID()}`;
    document.body.replaceChildren(video);
    const played = new Promise<boolean>((resolve) => {
      video.onerror = () => resolve(false);
      video.requestVideoFrameCallback(() => resolve(video.videoWidth > 0));
      setTimeout(() => resolve(false), 10_000);
    });
    return await played;
  });
}

interface Player {
  url: string;
  show(file: Buffer): void;
  close(): void;
}

async function servePlayer(): Promise<Player> {
  let shown: Buffer = Buffer.alloc(0);
  const server = http.createServer((request, response) => {
    const isVideo = request.url!.startsWith('/video');
    response.setHeader('content-type', isVideo ? 'video/mp4' : 'text/html');
    response.end(isVideo ? shown : '<!doctype html><title>player</title><body>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const show = (file: Buffer): void => {
    shown = file;
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, show, close: () => server.close() };
}

function emptyTally(): Tally {
  return {
    ...{ files: 0, refused: 0, previews: 0, wrongSize: [], wrongTime: [], lostAlpha: [] },
    ...{ firstFrames: 0, otherFirstFrame: [], videos: 0, failedVideos: [], worstVideoMs: 0, wrongPictures: [] },
    ...{ played: 0, notPlayed: [] },
    bytes: { originals: 0, w240: 0, w480: 0, videos: 0, originalsOfVideos: 0 },
  };
}

function report(folder: string, tally: Tally, seconds: number): void {
  const { bytes } = tally;
  const some = (names: readonly string[]): string =>
    names.length === 0 ? '0' : `${names.length} (${names.slice(0, 6).join('; ')})`;
  const ratio = (part: number, whole: number): string => (whole === 0 ? '-' : (part / whole).toFixed(3));
  const rows: [string, string][] = [
    ['files, refused', `${tally.files}, ${tally.refused}`],
    ['previews, with a wrong size', `${tally.previews}, ${some(tally.wrongSize)}`],
    ['durations off by more than 1 %', some(tally.wrongTime)],
    ['transparency lost', some(tally.lostAlpha)],
    ["first frames like ffmpeg's", `${tally.firstFrames - tally.otherFirstFrame.length} of ${tally.firstFrames}`],
    ['  unlike', some(tally.otherFirstFrame)],
    ['MP4s, failed', `${tally.videos}, ${some(tally.failedVideos)}`],
    ['  with a wrong frame count or size', some(tally.wrongPictures)],
    ['  duration off by at most', `${tally.worstVideoMs.toFixed(1)} ms`],
    ['  playing in Chromium', `${tally.played} of ${tally.videos}; not: ${some(tally.notPlayed)}`],
    ['bytes: w240, w480 / originals', `${ratio(bytes.w240, bytes.originals)}, ${ratio(bytes.w480, bytes.originals)}`],
    ['bytes: MP4s / their originals', ratio(bytes.videos, bytes.originalsOfVideos)],
  ];
  console.log(`\n${folder} (${seconds.toFixed(0)} s)`);
  for (const [what, value] of rows) console.log(`${what.padEnd(36)}${value}`);
}

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /\.(gif|webp)$/i.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
