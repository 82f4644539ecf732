import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { BASE62, randomText } from './random-text.ts';

const KEY = /^zoe_[\dA-Za-z]{38}$/;
const CHECK_LENGTH = 6;

/**
 * A new key: `zoe_`, 32 random characters (190 bits), 6 of their checksum. The prefix lets scanners of leaked secrets
 * find keys, the checksum lets us refuse guesses without asking the registry: the form GitHub's tokens have had since 2021.
 */
export function makeKey(): string {
  const body = `zoe_${randomText(32)}`;
  return body + checksum(body);
}

/** Whether a text can be a key at all. */
export function isKey(text: string): boolean {
  return KEY.test(text) && checksum(text.slice(0, -CHECK_LENGTH)) === text.slice(-CHECK_LENGTH);
}

/** What is kept of a key. A fast hash is enough: nobody tries out 190 bits. */
export function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** CRC-32 in base 62, the highest digit first; 62^6 is more than 2^32. */
function checksum(body: string): string {
  let digits = '';
  for (let rest = crc32(body); digits.length < CHECK_LENGTH; rest = Math.floor(rest / 62)) {
    digits = BASE62[rest % 62]! + digits;
  }
  return digits;
}
