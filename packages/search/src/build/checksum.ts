/** The reversed polynomial of CRC-32 as in zlib, PNG and Ethernet (ISO 3309). */
const POLYNOMIAL = 0xedb88320;

/**
 * TABLE[256 * k + b] is the checksum of byte b followed by k zero bytes. With eight values of k, each step processes
 * eight bytes ("slicing by 8": Kounavis & Berry, 2005).
 */
const TABLE: Int32Array = makeTable();

function makeTable(): Int32Array {
  const table = new Int32Array(8 * 256);
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1;
    table[byte] = crc;
  }
  for (let i = 256; i < table.length; i++) {
    const previous = table[i - 256]!;
    table[i] = (previous >>> 8) ^ table[previous & 255]!;
  }
  return table;
}

/**
 * Returns the CRC-32 of the bytes as an unsigned number. It detects all damage within 32 neighbouring bits. Of other
 * damage, it misses one case in 4 billion. It processes about 1.3 GB a second on one core (AMD EPYC, 2026; `bench text`
 * prints the time as "verify").
 * @param before checksum of the preceding bytes, if there are any
 */
export function checksum(bytes: Uint8Array, before = 0): number {
  let crc = ~before;
  let i = 0;
  for (const end = bytes.length - 7; i < end; i += 8) {
    crc ^= bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24);
    crc =
      TABLE[1792 + (crc & 255)]! ^
      TABLE[1536 + ((crc >>> 8) & 255)]! ^
      TABLE[1280 + ((crc >>> 16) & 255)]! ^
      TABLE[1024 + (crc >>> 24)]! ^
      TABLE[768 + bytes[i + 4]!]! ^
      TABLE[512 + bytes[i + 5]!]! ^
      TABLE[256 + bytes[i + 6]!]! ^
      TABLE[bytes[i + 7]!]!;
  }
  for (; i < bytes.length; i++) crc = (crc >>> 8) ^ TABLE[(crc ^ bytes[i]!) & 255]!;
  return ~crc >>> 0;
}
