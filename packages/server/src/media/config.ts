import { type Static, Type } from 'typebox';
import type { Limits } from './worker/protocol.ts';

/** According to measurements, no single file can harm the service with these defaults. */
export const MediaConfig = Type.Object({
  maxBytes: Type.Integer({
    env: 'ZOETROPE_MEDIA_MAX_BYTES',
    default: 25_000_000,
    minimum: 1,
    description: 'Maximum file size of an original, in bytes',
  }),
  maxCanvasPixels: Type.Integer({
    former: 'ZOETROPE_MEDIA_MAX_CANVAS_PIXELS',
    default: 25_000_000,
    minimum: 1,
    description: 'Maximum width x height of an original, in pixels; decoding a frame takes about 4 bytes per pixel',
  }),
  maxTotalPixels: Type.Integer({
    former: 'ZOETROPE_MEDIA_MAX_TOTAL_PIXELS',
    default: 1_000_000_000,
    minimum: 1,
    description:
      'Maximum width x height x number of frames of an original, in pixels; if this product is above 300,000,000 pixels, only stills are made',
  }),
  maxCpuSeconds: Type.Integer({
    former: 'ZOETROPE_MEDIA_MAX_CPU_SECONDS',
    default: 20,
    minimum: 1,
    description:
      'Maximum CPU time for making all previews of one original, in seconds; an original that needs more is rejected',
  }),
  maxMemoryMib: Type.Integer({
    former: 'ZOETROPE_MEDIA_MAX_MEMORY_MIB',
    default: 512,
    minimum: 128,
    description:
      'Maximum memory for making the previews of one original, in MiB; an original that needs more is rejected',
  }),
  workers: Type.Integer({
    env: 'ZOETROPE_MEDIA_WORKERS',
    default: 2,
    minimum: 1,
    maximum: 64,
    description: 'Maximum number of processes that make previews; up to half as many make MP4s. Idle processes exit',
  }),
  workerMemoryMib: Type.Integer({
    former: 'ZOETROPE_MEDIA_WORKER_MEMORY_MIB',
    default: 4096,
    minimum: 2048,
    description: 'Address space limit of each of these processes, in MiB (not on Windows and macOS)',
  }),
  timeoutMs: Type.Integer({
    former: 'ZOETROPE_MEDIA_TIMEOUT_MS',
    default: 30_000,
    minimum: 1000,
    description:
      'How long a request waits for a preview that is being made, in milliseconds. After that, the request gets 503, and the work continues. A process that takes ten times as long is killed',
  }),
  maxQueue: Type.Integer({
    former: 'ZOETROPE_MEDIA_MAX_QUEUE',
    default: 50,
    minimum: 1,
    description:
      'Maximum number of requested previews being made or waiting. MP4s have a separate limit of the same size. For previews of linked GIFs, the limit is ten times as high, and each host can use half of it. Requests above a limit get 503',
  }),
  videoEncoder: Type.Union(
    [Type.Literal('auto'), Type.Literal('ffmpeg'), Type.Literal('webcodecs'), Type.Literal('off')],
    {
      env: 'ZOETROPE_MEDIA_VIDEO',
      default: 'auto',
      description:
        "Encoder for MP4s. auto: the system's ffmpeg if it works, otherwise the built-in webcodecs; off: no MP4s",
    },
  ),
  downloadTimeoutMs: Type.Integer({
    former: 'ZOETROPE_MEDIA_DOWNLOAD_TIMEOUT_MS',
    default: 20_000,
    minimum: 100,
    description: 'Time limit for fetching a linked original, in milliseconds',
  }),
  blossomServers: Type.String({
    env: 'ZOETROPE_BLOSSOM_SERVERS',
    default: '',
    pattern: '^(\\s*https?://[^\\s,]+\\s*(,|$))*$',
    form: 'http or https URLs separated by commas, or empty',
    description:
      "Blossom servers, separated by commas. If the URLs of a linked original fail, its authors' own servers and then these servers are asked for the file with its hash",
  }),
  linked: Type.Optional(
    Type.String({
      env: 'ZOETROPE_LINKED',
      default: '',
      description: 'What happens with the originals of linked GIFs',
    }),
  ),
  keepLinked: Type.Union([Type.Literal('off'), Type.Literal('on')], {
    within: 'linked',
    former: 'ZOETROPE_KEEP_LINKED',
    default: 'off',
    description:
      'on: when the original of a linked GIF has been fetched, store it, so that further images can be made from it',
  }),
  linkedUrls: Type.Union([Type.Literal('origin'), Type.Literal('own')], {
    within: 'linked',
    former: 'ZOETROPE_LINKED_URLS',
    default: 'origin',
    description:
      'own: if the original of a linked GIF is stored here (keepLinked), responses contain the URL of that copy, for apps that show only GIFs from the host of the service; origin: responses always contain the URL on the other server',
  }),
  linkedHttp: Type.Union([Type.Literal('upgrade'), Type.Literal('show')], {
    env: 'ZOETROPE_LINKED_HTTP',
    default: 'upgrade',
    description:
      'upgrade: a linked GIF with an http URL is hidden until the same URL with https returns an image. Responses then contain the https URL; show: responses contain the http URL, which most apps reject',
  }),
  linkedProbe: Type.Union([Type.Literal('on'), Type.Literal('off')], {
    env: 'ZOETROPE_LINKED_PROBE',
    default: 'on',
    description:
      'on: a linked GIF is hidden until the service has read its size and type from its first bytes; off: a linked GIF is shown immediately, with the size in its manifest',
  }),
  linkedProbeRate: Type.Integer({
    former: 'ZOETROPE_LINKED_PROBE_RATE',
    default: 5,
    minimum: 1,
    maximum: 100,
    description: 'Maximum number of linked GIFs to check on one host per second',
  }),
  linkCheckHours: Type.Integer({
    within: 'linked',
    former: 'ZOETROPE_LINK_CHECK_HOURS',
    default: 0,
    minimum: 0,
    maximum: 8760,
    description:
      'number of hours after which the running service checks again whether a linked original still exists; 0: it never checks',
  }),
});
export type MediaConfig = Static<typeof MediaConfig>;

/** Returns a worker's limits for one file. */
export function limitsOf(config: MediaConfig): Limits {
  const { maxCanvasPixels, maxTotalPixels, maxCpuSeconds, maxMemoryMib } = config;
  return { maxCanvasPixels, maxTotalPixels, maxCpuSeconds, maxMemoryMib };
}

/** Returns the policy that decides which linked GIFs are shown under these settings. */
export function linkPolicy({ linkedHttp, linkedProbe }: MediaConfig): {
  http: MediaConfig['linkedHttp'];
  probe: MediaConfig['linkedProbe'];
} {
  return { http: linkedHttp, probe: linkedProbe };
}
