/**
 * Number of bytes before the pixels: a header, nine fields of twelve bytes, and three numbers that do not fit into
 * their field.
 */
const HEAD = 8 + 2 + 9 * 12 + 4 + 6;
const SHORT = 3;
const LONG = 4;

/** Writes pixels (RGB, row by row) as a file that the reader accepts: TIFF 6.0, uncompressed, in one strip. */
export function writeTiff(pixels: Uint8Array, { width, height }: { width: number; height: number }): Buffer {
  const file = Buffer.alloc(HEAD + pixels.length);
  file.write('II*\0', 0, 'latin1');
  file.writeUInt32LE(8, 4);
  const fields: [tag: number, type: number, count: number, value: number][] = [
    [256, LONG, 1, width],
    [257, LONG, 1, height],
    [258, SHORT, 3, HEAD - 6], // bits of each colour, after the fields
    [259, SHORT, 1, 1], // no compression
    [262, SHORT, 1, 2], // red, green, blue
    [273, LONG, 1, HEAD],
    [277, SHORT, 1, 3],
    [278, LONG, 1, height],
    [279, LONG, 1, pixels.length],
  ];
  let at = file.writeUInt16LE(fields.length, 8);
  for (const [tag, type, count, value] of fields) {
    at = file.writeUInt16LE(tag, at);
    at = file.writeUInt16LE(type, at);
    at = file.writeUInt32LE(count, at);
    at = file.writeUInt32LE(value, at);
  }
  for (let i = 0; i < 3; i++) file.writeUInt16LE(8, HEAD - 6 + 2 * i);
  file.set(pixels, HEAD);
  return file;
}
