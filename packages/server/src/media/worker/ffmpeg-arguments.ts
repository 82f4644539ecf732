import { even, type Film, type Quality } from './film.ts';

/** The encoder's constant rate factor. A lower factor gives more bytes. */
const CRF: Readonly<Record<Quality, string>> = { full: '26', preview: '23' };

/**
 * Returns the arguments for ffmpeg. The input consists of raw pixels. The output is a stream with a delimiter before
 * each picture. Without B-frames, the pictures of the output are in input order.
 */
export function argumentsFor({ width, height, framesPerSecond, quality }: Omit<Film, 'frames'>): string[] {
  const input = ['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-video_size', `${width}x${height}`];
  const padded = `pad=${even(width)}:${even(height)}:0:0:black`;
  return [
    ...['-nostdin', '-v', 'error', '-threads', '1', ...input, '-framerate', framesPerSecond.toFixed(3), '-i', 'pipe:0'],
    ...['-vf', `${padded},scale=out_color_matrix=bt709:out_range=tv,format=yuv420p`],
    ...['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709', '-color_range', 'tv'],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', CRF[quality], '-bf', '0'],
    ...['-threads', '1', '-x264-params', 'aud=1'],
    ...['-f', 'h264', 'pipe:1'],
  ];
}
