import { type Encoded, even, type Film, type Picture } from './film.ts';

/** Number of pictures from one key picture to the next. Playback can start at key pictures. */
const KEY_EVERY = 250;
/** Maximum number of frames that are queued in the encoder. Each frame keeps its pixels in memory. */
const MAX_WAITING = 8;

/**
 * Encodes a film as H.264 with an encoder from npm, for machines without ffmpeg. The encoder chooses the quality
 * itself: in this mode it has no target size, and version 1.3.1 ignores the quantiser of a frame.
 */
export async function encodeByWebCodecs(film: Film): Promise<Encoded> {
  // The library is loaded on demand, because it has 66 MB.
  const { VideoEncoder, VideoFrame } = await import('@napi-rs/webcodecs');
  const [codedWidth, codedHeight] = [even(film.width), even(film.height)];
  const pictures: Picture[] = [];
  let description: Uint8Array | undefined;
  let failure: Error | undefined;
  const encoder = new VideoEncoder({
    output: (chunk, metadata) => {
      const bytes = new Uint8Array(chunk.byteLength);
      chunk.copyTo(bytes);
      pictures.push({ bytes, key: chunk.type === 'key' });
      description ??= metadata?.decoderConfig?.description;
    },
    error: (error) => {
      failure = error;
    },
  });
  // Frame rates below one are not allowed. The value of the frame rate does not matter (see video.ts).
  const framerate = Math.max(1, Math.round(film.framesPerSecond));
  encoder.configure({
    ...{ codec: 'avc1.640028', width: codedWidth, height: codedHeight, framerate },
    ...{ bitrateMode: 'quantizer', latencyMode: 'quality', avc: { format: 'avc' } },
  });
  let number = 0;
  for await (const rgb of film.frames) {
    const timestamp = Math.round((number * 1e6) / framerate);
    const pixels = toI420(padded(rgb, film), codedWidth, codedHeight);
    const frame = new VideoFrame(pixels, { format: 'I420', codedWidth, codedHeight, timestamp });
    encoder.encode(frame, { keyFrame: number++ % KEY_EVERY === 0 });
    frame.close();
    while (failure === undefined && encoder.encodeQueueSize > MAX_WAITING) await nextTurn();
    if (failure !== undefined) throw failure;
  }
  await encoder.flush();
  encoder.close();
  if (failure !== undefined) throw failure;
  return { pictures, ...(description && { description }) };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/**
 * Converts RGB to luma and halved chroma of limited range (ITU-R BT.709-6, 3.2 to 3.4). The encoder's own conversion is
 * not used, because it does not use the standard that the encoder writes into the stream.
 */
function toI420(rgb: Uint8Array, width: number, height: number): Uint8Array {
  const luma = width * height;
  const out = new Uint8Array(luma * 1.5);
  for (let pixel = 0, at = 0; pixel < luma; pixel++, at += 3) {
    out[pixel] = 16.5 + 0.18259 * rgb[at]! + 0.61423 * rgb[at + 1]! + 0.06201 * rgb[at + 2]!;
  }
  let [cb, cr] = [luma, luma * 1.25];
  for (let y = 0; y < height; y += 2) {
    for (let x = 0; x < width; x += 2) {
      const above = (y * width + x) * 3;
      const below = above + width * 3;
      const sum = (channel: number): number =>
        rgb[above + channel]! + rgb[above + 3 + channel]! + rgb[below + channel]! + rgb[below + 3 + channel]!;
      const [r, g, b] = [sum(0), sum(1), sum(2)];
      out[cb++] = 128.5 + (-0.10064 * r - 0.33857 * g + 0.43922 * b) / 4;
      out[cr++] = 128.5 + (0.43922 * r - 0.39894 * g - 0.04027 * b) / 4;
    }
  }
  return out;
}

/** Adds a black row or column if a side is odd. */
function padded(rgb: Uint8Array, { width, height }: Film): Uint8Array {
  if (width === even(width) && height === even(height)) return rgb;
  const out = new Uint8Array(even(width) * even(height) * 3);
  for (let y = 0; y < height; y++) out.set(rgb.subarray(y * width * 3, (y + 1) * width * 3), y * even(width) * 3);
  return out;
}
