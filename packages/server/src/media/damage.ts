import { createHash } from 'node:crypto';

const PNG_START = '\x89PNG\r\n\x1a\n';
const PNG_END = 'IEND\xaeB`\x82';

/**
 * Returns the damage of a stored file, or null if it is intact. An original must have the hash that its name contains.
 * A derivative must be complete and have the type that its name contains.
 */
export function damageOf(key: string, bytes: Uint8Array): string | null {
  const [, name, ending] = /([^/]+)\.(\w+)$/.exec(key) ?? [];
  if (key.startsWith('orig/')) return sha256Of(bytes) === name ? null : 'its bytes do not have the hash in its name';
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const isWhole = WHOLE[ending ?? ''];
  return isWhole === undefined || isWhole(file) ? null : `it is not a complete ${ending} file`;
}

const WHOLE: Readonly<Record<string, (file: Buffer) => boolean>> = {
  webp: (file) =>
    file.length > 12 &&
    file.toString('latin1', 0, 4) === 'RIFF' &&
    file.toString('latin1', 8, 12) === 'WEBP' &&
    file.readUInt32LE(4) + 8 === file.length,
  png: (file) => file.toString('latin1', 0, 8) === PNG_START && file.toString('latin1', file.length - 8) === PNG_END,
  mp4: (file) => file.toString('latin1', 4, 8) === 'ftyp' && endOfBoxes(file) === file.length,
};

/**
 * Returns the position at which the last box of an MP4 ends. Boxes above 4 GB have longer length fields, but our files
 * are far smaller.
 */
function endOfBoxes(file: Buffer): number {
  let at = 0;
  while (at + 8 <= file.length && file.readUInt32BE(at) >= 8) at += file.readUInt32BE(at);
  return at;
}

function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
