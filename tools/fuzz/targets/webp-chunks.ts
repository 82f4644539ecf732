import { changeBytes, littleEndian } from '../change-bytes.ts';
import { changeOften, pick, type Random, upTo } from '../draw.ts';

/** A chunk of a WebP file. */
interface Chunk {
  readonly name: string;
  readonly data: Uint8Array;
  /** Added to the size that the file declares for the chunk. */
  readonly excess: number;
}

const NAMES = ['VP8X', 'VP8 ', 'VP8L', 'ALPH', 'ANIM', 'ANMF', 'ICCP', 'EXIF', 'XMP ', 'JUNK'];
const EXCESSES = [1, 2, 8, 1_000, 2 ** 24, 2 ** 31 - 1, 2 ** 31];
/** Size of the header of a frame, before the chunks in it. */
const FRAME_HEAD = 16;

export function chunksOf(webp: Uint8Array): Chunk[] {
  const file = Buffer.from(webp);
  const chunks: Chunk[] = [];
  for (let at = 12; at + 8 <= file.length; ) {
    const size = file.readUInt32LE(at + 4);
    chunks.push({ name: file.toString('latin1', at, at + 4), data: webp.slice(at + 8, at + 8 + size), excess: 0 });
    at += 8 + size + (size % 2);
  }
  return chunks;
}

export function joinChunks(chunks: readonly Chunk[]): Uint8Array {
  const parts = chunks.flatMap(({ name, data, excess }) => [
    Buffer.from(name, 'latin1'),
    Uint8Array.from(littleEndian(data.length + excess, 4)),
    data,
    Buffer.alloc(data.length % 2),
  ]);
  const body = Buffer.concat([Buffer.from('WEBP'), ...parts]);
  return Uint8Array.from(Buffer.concat([Buffer.from('RIFF'), Uint8Array.from(littleEndian(body.length, 4)), body]));
}

type Change = (random: Random, chunks: Chunk[], at: number) => Chunk[];

const CHANGES: readonly Change[] = [
  (_, chunks, at) => chunks.toSpliced(at, 1),
  (random, chunks, at) => chunks.toSpliced(upTo(random, chunks.length), 0, chunks[at]!),
  (random, chunks, at) => chunks.toSpliced(upTo(random, chunks.length), 0, ...chunks.slice(at)),
  (random, chunks, at) => chunks.with(at, { ...chunks[at]!, name: pick(random, NAMES) }),
  (random, chunks, at) => chunks.with(at, { ...chunks[at]!, excess: random() < 0.2 ? pick(random, EXCESSES) : 0 }),
  (random, chunks, at) => chunks.with(at, { ...chunks[at]!, data: changeBytes(random, chunks[at]!.data) }),
  (random, chunks, at) => chunks.with(at, { ...chunks[at]!, data: changeOften(random, chunks[at]!.data, changeBytes) }),
  (random, chunks, at) => chunks.with(at, { ...chunks[at]!, data: changeFrame(random, chunks[at]!.data) }),
  (random, chunks, at) => chunks.with(at, { ...chunks[at]!, data: changeFrame(random, chunks[at]!.data) }),
];

/** Returns chunks that differ in one place. */
export function changeChunks(random: Random, chunks: Chunk[]): Chunk[] {
  if (chunks.length === 0) return chunks;
  return pick(random, CHANGES)(random, chunks, upTo(random, chunks.length - 1));
}

/** Changes only the first bytes. In a frame, these are place, size, duration and flags. */
function changeFrame(random: Random, data: Uint8Array): Uint8Array {
  return Uint8Array.from(Buffer.concat([changeBytes(random, data.subarray(0, FRAME_HEAD)), data.subarray(FRAME_HEAD)]));
}
