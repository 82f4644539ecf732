import sharp from 'sharp';
import { mp4Allowed, type Size } from '../derivatives.ts';
import { MediaRefusal } from '../refusal.ts';
import type { VideoEncoderName } from '../video-encoder.ts';
import { encodeByFfmpeg } from './encode-ffmpeg.ts';
import { encodeByWebCodecs } from './encode-webcodecs.ts';
import { type Encoded, even, type Film } from './film.ts';
import { firstLine, type Inspected } from './inspect.ts';
import { asRefusal, fitted } from './render.ts';

/*
 * The decoder of previews also decodes the frames of videos, and the encoder gets raw pixels. So only one library
 * parses untrusted input. The encoder ignores time. The muxer writes the duration of each frame, so that even a last
 * frame of several seconds works.
 */

/**
 * Maximum number of bytes of pixels per decoding run. A large limit keeps the number of runs small, because each run
 * decodes again from the first frame.
 */
const RUN_BYTES = 64_000_000;
const COLOURS = { primaries: 'bt709', transfer: 'bt709', matrix: 'bt709', fullRange: false } as const;
/** High profile, level 4. Players use the values in the stream. */
const CODEC = 'avc1.640028';

/**
 * Returns an MP4 of an animation. The MP4 has H.264, no sound, and its index first. Its width and height are even (a
 * black row or column is added if necessary). Transparency becomes black. Throws MediaRefusal if the image gets no MP4,
 * or if a frame cannot be decoded.
 */
export function renderVideo(image: Inspected, encoder: VideoEncoderName): Promise<Uint8Array> {
  const { width, height } = image;
  const bytes = width * height * 3;
  return encodeVideo(image, encoder, { width, height, quality: 'full', frames: readFrames(image, bytes, readRun) });
}

/**
 * Returns an MP4 of an animation in the given size, to be shown instead of the animated preview. Returns null if a
 * pixel is not opaque, because an MP4 would show that pixel in black. Throws like `renderVideo`.
 */
export async function renderSmallVideo(
  image: Inspected,
  encoder: VideoEncoderName,
  { width, height }: Size,
): Promise<Uint8Array | null> {
  const read: ReadRun = (of, page, pages) => readSmallRun(of, { width, height }, { page, pages });
  const frames = readFrames(image, width * height * 3, read);
  try {
    return await encodeVideo(image, encoder, { width, height, quality: 'preview', frames });
  } catch (error) {
    if (error instanceof NotOpaque) return null;
    throw error;
  }
}

async function encodeVideo(
  image: Inspected,
  encoder: VideoEncoderName,
  look: Omit<Film, 'framesPerSecond'>,
): Promise<Uint8Array> {
  if (!mp4Allowed(image))
    throw new MediaRefusal('too_large', 'the image is a still, or too long or too large for a video');
  const { delays, durationMs } = image;
  const film = { ...look, framesPerSecond: (1000 * delays.length) / durationMs };
  const encode = encoder === 'ffmpeg' ? encodeByFfmpeg : encodeByWebCodecs;
  const encoded = await encode(film);
  if (encoded.pictures.length !== delays.length) {
    throw new Error(`the encoder made ${encoded.pictures.length} pictures of ${delays.length}`);
  }
  return mux(encoded, { width: even(look.width), height: even(look.height), delays });
}

type ReadRun = (image: Inspected, page: number, pages: number) => Promise<Uint8Array>;

/** @param bytes the number of bytes of one frame that `read` returns */
async function* readFrames(image: Inspected, bytes: number, read: ReadRun): AsyncGenerator<Uint8Array> {
  const run = Math.max(1, Math.floor(RUN_BYTES / (image.width * image.height * 3)));
  for (let page = 0; page < image.frames; page += run) {
    const pages = Math.min(run, image.frames - page);
    const pixels = await read(image, page, pages);
    for (let frame = 0; frame < pages; frame++) yield pixels.subarray(frame * bytes, (frame + 1) * bytes);
  }
}

async function readRun(image: Inspected, page: number, pages: number): Promise<Uint8Array> {
  const { painted, width, height } = image;
  try {
    const source = sharp(image.bytes, { page, pages, failOn: 'none', limitInputPixels: false });
    // The decoder's canvas can be smaller than that of the walker. The rest of the walker's canvas is filled with
    // black.
    const whole =
      painted.width === width && painted.height === height
        ? source
        : source.extend({ right: width - painted.width, bottom: height - painted.height, background: '#000' });
    return await whole.flatten({ background: '#000' }).toColourspace('srgb').raw().toBuffer();
  } catch (error) {
    throw new MediaRefusal('broken_frames', `a frame cannot be decoded: ${firstLine(error)}`, { cause: error });
  }
}

/** Thrown to end the encoding of a small video. */
class NotOpaque extends Error {}

/** Reads frames in a smaller size. Throws NotOpaque if a pixel is not opaque. */
async function readSmallRun(image: Inspected, size: Size, pages: { page: number; pages: number }): Promise<Uint8Array> {
  const rgba = await fitted(image, size, pages)
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer()
    .catch((error: unknown) => {
      throw asRefusal(error);
    });
  const rgb = new Uint8Array((rgba.length / 4) * 3);
  for (let from = 0, to = 0; from < rgba.length; from += 4, to += 3) {
    if (rgba[from + 3]! < 255) throw new NotOpaque();
    rgb[to] = rgba[from]!;
    rgb[to + 1] = rgba[from + 1]!;
    rgb[to + 2] = rgba[from + 2]!;
  }
  return rgb;
}

interface Timing {
  readonly width: number;
  readonly height: number;
  /** Duration of each picture, in milliseconds. */
  readonly delays: readonly number[];
}

async function mux({ pictures, description }: Encoded, { width, height, delays }: Timing): Promise<Uint8Array> {
  // The library is loaded on demand, because loading takes half of a worker's start, and most workers make no video.
  const { BufferTarget, EncodedPacket, EncodedVideoPacketSource, Mp4OutputFormat, Output } = await import('mediabunny');
  const target = new BufferTarget();
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target });
  const track = new EncodedVideoPacketSource('avc');
  output.addVideoTrack(track);
  await output.start();
  const decoderConfig = {
    ...{ codec: CODEC, codedWidth: width, codedHeight: height, colorSpace: COLOURS },
    ...(description && { description }),
  };
  let start = 0;
  for (const [i, { bytes, key }] of pictures.entries()) {
    const packet = new EncodedPacket(bytes, key ? 'key' : 'delta', start / 1000, delays[i]! / 1000);
    await track.add(packet, { decoderConfig });
    start += delays[i]!;
  }
  await output.finalize();
  return withoutTimes(Buffer.from(target.buffer!));
}

/**
 * Removes the creation time, so that the same animation always gives the same file. In ISO/IEC 14496-12, 8.2.2, 8.3.2
 * and 8.4.2, the box's name is followed by version and flags, then two times.
 */
function withoutTimes(video: Buffer): Uint8Array {
  for (const box of ['mvhd', 'tkhd', 'mdhd']) {
    const version = video.indexOf(box, 0, 'latin1') + box.length;
    const times = version + 4;
    video.fill(0, times, times + (video[version] === 1 ? 16 : 8));
  }
  return video;
}
