import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { splitPictures } from './annex-b.ts';
import { argumentsFor } from './ffmpeg-arguments.ts';
import type { Encoded, Film } from './film.ts';

/** Maximum CPU seconds and KiB of address space for one video, on systems that support such limits. */
const BOUNDS = 'ulimit -t 60 2>/dev/null; ulimit -v 2097152 2>/dev/null; exec "$@"';
/** Maximum size of a video, in bytes. */
const MAX_BYTES = 64_000_000;

/** Encodes a film as H.264 with the system's ffmpeg. */
export async function encodeByFfmpeg(film: Film): Promise<Encoded> {
  const bounded = process.platform === 'win32' ? [] : ['sh', '-c', BOUNDS, 'sh'];
  const [program, ...args] = [...bounded, 'ffmpeg', ...argumentsFor(film)];
  const child = spawn(program!, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = once(child, 'close') as Promise<[code: number | null]>;
  const [stream, lastWords] = await Promise.all([
    collect(child.stdout, MAX_BYTES),
    collect(child.stderr, MAX_BYTES),
    feed(film.frames, child.stdin),
  ]);
  const [code] = await ended;
  if (code !== 0) throw new Error(`ffmpeg ended with ${code}: ${lastWords.toString('utf8').trim().slice(-200)}`);
  return { pictures: splitPictures(stream) };
}

/**
 * Writes frames only as fast as ffmpeg reads them. Does not throw if the encoder has exited, because its exit code is
 * reported elsewhere.
 */
async function feed(frames: AsyncIterable<Uint8Array>, to: NodeJS.WritableStream): Promise<void> {
  let broken = false;
  to.on('error', () => {
    broken = true;
  });
  try {
    for await (const frame of frames) {
      if (broken) return;
      if (!to.write(frame)) await Promise.race([once(to, 'drain'), once(to, 'close')]).catch(() => {});
    }
  } finally {
    // If a frame cannot be read, ffmpeg must not wait for more frames.
    to.end();
  }
}

async function collect(from: NodeJS.ReadableStream, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of from as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error(`the video is longer than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
