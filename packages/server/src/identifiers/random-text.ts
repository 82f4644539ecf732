import { randomInt } from 'node:crypto';

export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Returns random digits and letters. A text of 12 characters has 71 bits. */
export function randomText(length: number): string {
  return Array.from({ length }, () => BASE62[randomInt(BASE62.length)]!).join('');
}

export function newId(): string {
  return randomText(12);
}
