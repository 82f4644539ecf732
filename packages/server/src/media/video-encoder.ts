import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { splitPictures } from './worker/annex-b.ts';
import { argumentsFor } from './worker/ffmpeg-arguments.ts';

export type VideoEncoderName = 'ffmpeg' | 'webcodecs';

/** A machine that is so slow to start ffmpeg will not make videos with it either. */
const SELF_TEST_MS = 20_000;
const SIDE = 16;

/**
 * What makes videos on this machine: of the two, the first that works, or the one that is wanted if it does.
 * @returns null when none does
 */
export async function findVideoEncoder(wanted: VideoEncoderName | 'auto' | 'off'): Promise<VideoEncoderName | null> {
  if (wanted === 'off') return null;
  if (wanted !== 'webcodecs' && (await ffmpegWorks())) return 'ffmpeg';
  if (wanted !== 'ffmpeg' && (await webCodecsLoads())) return 'webcodecs';
  return null;
}

/** Two frames in, two pictures out: there are builds without H.264. */
async function ffmpegWorks(): Promise<boolean> {
  const film = { width: SIDE, height: SIDE, framesPerSecond: 10 };
  const child = spawn('ffmpeg', argumentsFor(film), { stdio: ['pipe', 'pipe', 'ignore'], timeout: SELF_TEST_MS });
  child.stdin.on('error', () => {}).end(new Uint8Array(SIDE * SIDE * 3 * 2));
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => void chunks.push(chunk));
  const [code] = await once(child, 'close').catch(() => [-1]); // there is none
  return code === 0 && splitPictures(Buffer.concat(chunks)).length === 2;
}

/** In a process of its own: what it loads is large, and what cannot be loaded may end the process. */
async function webCodecsLoads(): Promise<boolean> {
  const script = `await import(${JSON.stringify(import.meta.resolve('@napi-rs/webcodecs'))})`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: 'ignore',
    timeout: SELF_TEST_MS,
  });
  const [code] = await once(child, 'close').catch(() => [-1]);
  return code === 0;
}
