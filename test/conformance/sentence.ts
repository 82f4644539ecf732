import { expect, it } from 'vitest';
import { SENTENCES } from './sentences.ts';

/**
 * Defines the test of a sentence in the specification. The name of the test is the number and text of the sentence. A
 * test without an assertion fails, because it would say nothing about its sentence.
 */
export function sentence(n: number, test: () => void | Promise<void>): void {
  const found = SENTENCES[n - 1];
  if (!found) throw new Error(`the specification has no sentence ${n}`);
  it(`${String(n).padStart(3, '0')} ${found.text}`, async () => {
    expect.hasAssertions();
    await test();
  });
}
