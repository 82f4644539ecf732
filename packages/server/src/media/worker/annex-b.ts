import type { Picture } from './film.ts';

/* Annex B of H.264 (ITU-T H.264, 2021): a stream of units, each preceded by the bytes 0 0 1. */

const TYPE = 31;
const KEY_PICTURE = 5;
/** The delimiter that the encoder puts before each picture. */
const DELIMITER = 9;

/** Splits a stream into its pictures, at the delimiters. */
export function splitPictures(stream: Uint8Array): Picture[] {
  const units = findUnits(stream);
  const starts = units.filter(({ type }) => type === DELIMITER).map(({ at }) => at);
  return starts.map((start, i) => {
    const end = starts[i + 1] ?? stream.length;
    const key = units.some(({ type, at }) => type === KEY_PICTURE && at >= start && at < end);
    return { bytes: stream.subarray(start, end), key };
  });
}

function findUnits(stream: Uint8Array): { at: number; type: number }[] {
  const bytes = Buffer.from(stream.buffer, stream.byteOffset, stream.length);
  const units: { at: number; type: number }[] = [];
  const code = Buffer.of(0, 0, 1);
  for (let at = bytes.indexOf(code); at >= 0; at = bytes.indexOf(code, at + code.length)) {
    const header = bytes[at + code.length];
    if (header !== undefined) units.push({ at, type: header & TYPE });
  }
  return units;
}
