import { it } from 'vitest';
import { SENTENCES } from './sentences.ts';

/** Tests a sentence of the specification; the test is named by its number and text. */
export function sentence(n: number, test: () => void | Promise<void>): void {
  const found = SENTENCES[n - 1];
  if (!found) throw new Error(`the specification has no sentence ${n}`);
  it(`${String(n).padStart(3, '0')} ${found.text}`, test);
}
