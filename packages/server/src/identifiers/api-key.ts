import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { BASE62, randomText } from './random-text.ts';

const KEY = /^zoe_[\dA-Za-z]{38}$/;
const CHECK_LENGTH = 6;

/**
 * Creates a key: `zoe_`, 32 random characters (190 bits), and 6 characters of checksum. The prefix lets secret scanners
 * find leaked keys. The checksum lets the service reject guesses without a look-up. GitHub's tokens have had this form
 * since 2021.
 */
export function makeKey(): string {
  const body = `zoe_${randomText(32)}`;
  return body + checksum(body);
}

/** Returns whether a string has the form of a key. */
export function isKey(text: string): boolean {
  return KEY.test(text) && checksum(text.slice(0, -CHECK_LENGTH)) === text.slice(-CHECK_LENGTH);
}

/** Returns the stored hash of a key. A fast hash is enough, because nobody can try out 2^190 keys. */
export function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** Returns the CRC-32 in base 62, highest digit first. Six digits are enough, because 62^6 > 2^32. */
function checksum(body: string): string {
  let digits = '';
  for (let rest = crc32(body); digits.length < CHECK_LENGTH; rest = Math.floor(rest / 62)) {
    digits = BASE62[rest % 62]! + digits;
  }
  return digits;
}
