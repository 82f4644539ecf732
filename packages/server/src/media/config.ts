import { type Static, Type } from 'typebox';
import type { Limits } from './worker/protocol.ts';

/** The bounds of docs/operate/configuration.md; each default was measured to keep one file from hurting the service. */
export const MediaConfig = Type.Object({
  maxBytes: Type.Integer({
    env: 'ZOETROPE_MEDIA_MAX_BYTES',
    default: 25_000_000,
    minimum: 1,
    description: 'Longest original taken, in bytes',
  }),
  maxCanvasPixels: Type.Integer({
    env: 'ZOETROPE_MEDIA_MAX_CANVAS_PIXELS',
    default: 25_000_000,
    minimum: 1,
    description: 'Largest width x height of an original, in pixels; decoding one frame takes about 4 bytes for each',
  }),
  maxTotalPixels: Type.Integer({
    env: 'ZOETROPE_MEDIA_MAX_TOTAL_PIXELS',
    default: 1_000_000_000,
    minimum: 1,
    description:
      'Largest width x height x number of frames of an original, in pixels; above 300,000,000 only stills are made',
  }),
  maxCpuSeconds: Type.Integer({
    env: 'ZOETROPE_MEDIA_MAX_CPU_SECONDS',
    default: 20,
    minimum: 1,
    description: 'Longest processor time for all previews of one original, in seconds; then it is refused',
  }),
  maxMemoryMib: Type.Integer({
    env: 'ZOETROPE_MEDIA_MAX_MEMORY_MIB',
    default: 512,
    minimum: 128,
    description: 'Most memory that the previews of one original may take, in MiB; then it is refused',
  }),
  workers: Type.Integer({
    env: 'ZOETROPE_MEDIA_WORKERS',
    default: 2,
    minimum: 1,
    maximum: 64,
    description: 'Processes that make previews at the same time, and half as many that make MP4s; they end when idle',
  }),
  workerMemoryMib: Type.Integer({
    env: 'ZOETROPE_MEDIA_WORKER_MEMORY_MIB',
    default: 4096,
    minimum: 2048,
    description: 'Address space of one such process, in MiB (not on Windows and macOS)',
  }),
  timeoutMs: Type.Integer({
    env: 'ZOETROPE_MEDIA_TIMEOUT_MS',
    default: 30_000,
    minimum: 1000,
    description:
      'Longest time for making one preview that somebody waits for, in milliseconds; then its process is killed. Ten times that while files are taken in',
  }),
  maxQueue: Type.Integer({
    env: 'ZOETROPE_MEDIA_MAX_QUEUE',
    default: 50,
    minimum: 1,
    description:
      'Previews being made on request at the same time, waiting ones included; as many MP4s, and ten times as many previews of linked GIFs, half of that of one host; more are answered 503',
  }),
  videoEncoder: Type.Union(
    [Type.Literal('auto'), Type.Literal('ffmpeg'), Type.Literal('webcodecs'), Type.Literal('off')],
    {
      env: 'ZOETROPE_MEDIA_VIDEO',
      default: 'auto',
      description: "What makes MP4s: the system's ffmpeg where it works, else the encoder that comes along; off: none",
    },
  ),
  downloadTimeoutMs: Type.Integer({
    env: 'ZOETROPE_MEDIA_DOWNLOAD_TIMEOUT_MS',
    default: 20_000,
    minimum: 100,
    description: 'Longest time for fetching a linked original, in milliseconds',
  }),
  blossomServers: Type.String({
    env: 'ZOETROPE_BLOSSOM_SERVERS',
    default: '',
    pattern: '^(\\s*https?://[^\\s,]+\\s*(,|$))*$',
    form: 'http or https addresses with commas between, or empty',
    description: 'Servers that are asked for a linked original by its hash when its own addresses fail',
  }),
  keepLinked: Type.Union([Type.Literal('off'), Type.Literal('on')], {
    env: 'ZOETROPE_KEEP_LINKED',
    default: 'off',
    description: 'on: the original of a linked GIF is kept once it was fetched, to make further images of',
  }),
  linkedHttp: Type.Union([Type.Literal('upgrade'), Type.Literal('show')], {
    env: 'ZOETROPE_LINKED_HTTP',
    default: 'upgrade',
    description:
      'upgrade: a linked GIF with an http address is shown by its https address once that has answered with an image, and not before; show: it is shown by http, which most apps drop',
  }),
  linkedProbe: Type.Union([Type.Literal('on'), Type.Literal('off')], {
    env: 'ZOETROPE_LINKED_PROBE',
    default: 'on',
    description:
      'on: a linked GIF is shown once its first bytes were fetched, which gives its true size and type; off: it is shown at once, with the size its manifest claims',
  }),
  linkedProbeRate: Type.Integer({
    env: 'ZOETROPE_LINKED_PROBE_RATE',
    default: 5,
    minimum: 1,
    maximum: 100,
    description: 'Linked GIFs whose first bytes are fetched from one host each second, at most',
  }),
  linkCheckHours: Type.Integer({
    env: 'ZOETROPE_LINK_CHECK_HOURS',
    default: 0,
    minimum: 0,
    maximum: 8760,
    description: 'How often the running service looks whether each linked original is still there, in hours; 0: never',
  }),
});
export type MediaConfig = Static<typeof MediaConfig>;

/** What one file may take of a worker. */
export function limitsOf(config: MediaConfig): Limits {
  const { maxCanvasPixels, maxTotalPixels, maxCpuSeconds, maxMemoryMib } = config;
  return { maxCanvasPixels, maxTotalPixels, maxCpuSeconds, maxMemoryMib };
}

/** Which linked GIFs these settings show. */
export function linkPolicy({ linkedHttp, linkedProbe }: MediaConfig): {
  http: MediaConfig['linkedHttp'];
  probe: MediaConfig['linkedProbe'];
} {
  return { http: linkedHttp, probe: linkedProbe };
}
