import { EncodedVideoChunk, VideoDecoder, type VideoFrame } from '@napi-rs/webcodecs';
import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from 'mediabunny';

export interface Video {
  /** Names of the boxes, in order. */
  readonly boxes: readonly string[];
  /** Kinds of tracks. */
  readonly tracks: readonly string[];
  readonly codec: string | null;
  readonly width: number;
  readonly height: number;
  /** Time and duration of each picture, in seconds. Playback can start at pictures of the type `key`. */
  readonly packets: readonly { timestamp: number; duration: number; type: string }[];
  /** The first picture's luma, row by row. 16 is black. */
  readonly luma: Uint8Array;
}

/** Reads an MP4 with libraries other than the library that wrote the MP4. */
export async function lookAtVideo(bytes: Uint8Array): Promise<Video> {
  using input = new Input({ formats: ALL_FORMATS, source: new BufferSource(bytes) });
  const track = (await input.getPrimaryVideoTrack())!;
  const packets: Video['packets'][number][] = [];
  const chunks: EncodedVideoChunk[] = [];
  for await (const { timestamp, duration, type, data } of new EncodedPacketSink(track).packets()) {
    packets.push({ timestamp: toMilliseconds(timestamp), duration: toMilliseconds(duration), type });
    chunks.push(new EncodedVideoChunk({ type, data, timestamp: Math.round(timestamp * 1e6) }));
  }
  const { codec, codedWidth: width, codedHeight: height } = track;
  const description = (await track.getDecoderConfig())!.description as Uint8Array;
  const luma = await decodeFirst(chunks, { codec: 'avc1.640028', codedWidth: width, codedHeight: height, description });
  const tracks = (await input.getTracks()).map(({ type }) => type);
  return { boxes: boxesOf(Buffer.from(bytes)), tracks, codec, width, height, packets, luma };
}

type DecoderConfig = Parameters<VideoDecoder['configure']>[0];

async function decodeFirst(chunks: readonly EncodedVideoChunk[], config: DecoderConfig): Promise<Uint8Array> {
  const first = Promise.withResolvers<VideoFrame>();
  let isFirst = true;
  const decoder = new VideoDecoder({
    output: (frame) => {
      // Copying is asynchronous, so a copy of a later picture could be ready first.
      if (isFirst) first.resolve(frame);
      else frame.close();
      isFirst = false;
    },
    error: first.reject,
  });
  decoder.configure(config);
  for (const chunk of chunks) decoder.decode(chunk);
  await decoder.flush();
  decoder.close();
  const frame = await first.promise;
  const pixels = new Uint8Array(frame.allocationSize());
  await frame.copyTo(pixels);
  const luma = pixels.subarray(0, frame.codedWidth * frame.codedHeight);
  frame.close();
  return luma;
}

/** Rounds to milliseconds, because times are stored as fractions. */
function toMilliseconds(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}

function boxesOf(video: Buffer): string[] {
  const names: string[] = [];
  for (let at = 0; at < video.length; at += video.readUInt32BE(at))
    names.push(video.toString('latin1', at + 4, at + 8));
  return names;
}
