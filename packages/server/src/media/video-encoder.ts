import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { splitPictures } from './worker/annex-b.ts';
import { argumentsFor } from './worker/ffmpeg-arguments.ts';

export type VideoEncoderName = 'ffmpeg' | 'webcodecs';

/** Maximum time for starting ffmpeg. If the start takes longer, the machine is too slow for videos. */
const SELF_TEST_MS = 20_000;
const SIDE = 16;

/**
 * Finds a video encoder that works on this machine. With `auto`, ffmpeg is tried before WebCodecs. Otherwise, only the
 * configured encoder is tried.
 * @returns null if no encoder works
 */
export async function findVideoEncoder(wanted: VideoEncoderName | 'auto' | 'off'): Promise<VideoEncoderName | null> {
  if (wanted === 'off') return null;
  if (wanted !== 'webcodecs' && (await ffmpegWorks())) return 'ffmpeg';
  if (wanted !== 'ffmpeg' && (await webCodecsLoads())) return 'webcodecs';
  return null;
}

/** Tests an encoder with two frames, because some builds of ffmpeg do not support H.264. */
async function ffmpegWorks(): Promise<boolean> {
  const film = { width: SIDE, height: SIDE, framesPerSecond: 10, quality: 'full' } as const;
  const child = spawn('ffmpeg', argumentsFor(film), { stdio: ['pipe', 'pipe', 'ignore'], timeout: SELF_TEST_MS });
  child.stdin.on('error', () => {}).end(new Uint8Array(SIDE * SIDE * 3 * 2));
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => void chunks.push(chunk));
  const [code] = await once(child, 'close').catch(() => [-1]); // ffmpeg is not installed
  return code === 0 && splitPictures(Buffer.concat(chunks)).length === 2;
}

/**
 * Tests whether WebCodecs can be loaded. The test runs in a separate process, because the library is large and loading
 * it can crash the process.
 */
async function webCodecsLoads(): Promise<boolean> {
  const script = `await import(${JSON.stringify(import.meta.resolve('@napi-rs/webcodecs'))})`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: 'ignore',
    timeout: SELF_TEST_MS,
  });
  const [code] = await once(child, 'close').catch(() => [-1]);
  return code === 0;
}
