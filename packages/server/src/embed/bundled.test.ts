import { expect, test } from 'vitest';
import { loadBundled } from './child/bundled.ts';

/**
 * Every 64th number of vectors that TensorFlow.js 4 computed with the published model. tools/models converts that model
 * into ours.
 */
const PUBLISHED: readonly (readonly [text: string, numbers: readonly number[]])[] = [
  ['happy dance', [0.052963, 0.053329, 0.050313, 0.030106, -0.025748, -0.004265, 0.032911, 0.05253]],
  [
    'a man in a brown hat is listening to a person talk',
    [0.074951, 0.002735, 0.065576, -0.00317, 0.072542, -0.057325, -0.018405, 0.064746],
  ],
  ['naïve café — №1', [0.044102, 0.015907, 0.060626, -0.009181, -0.017035, -0.041696, 0.013061, 0.060266]],
];

test('the converted model gives the same vectors as the published model', async () => {
  const engine = await loadBundled();
  const vectors = await engine.embed(
    'document',
    PUBLISHED.map(([text]) => text),
  );
  for (const [i, [text, numbers]] of PUBLISHED.entries()) {
    const found = Array.from(vectors[i]!).filter((_, place) => place % 64 === 0);
    for (const [place, number] of numbers.entries()) expect(found[place], text).toBeCloseTo(number, 5);
  }
});

test('a vector does not depend on the other texts of its run', async () => {
  const engine = await loadBundled();
  const texts = ['happy dance', 'i am so tired of all this', 'a cat', '', '😂👍🏽', 'no'];
  const together = await engine.embed('query', texts);
  for (const [i, text] of texts.entries()) {
    const [alone] = await engine.embed('query', [text]);
    // The encoder knows no emoji. Its callers translate them first.
    if (text === '' || text === '😂👍🏽') expect([alone, together[i]]).toEqual([null, null]);
    else for (const [place, number] of Array.from(alone!).entries()) expect(together[i]![place]).toBeCloseTo(number, 6);
  }
});
