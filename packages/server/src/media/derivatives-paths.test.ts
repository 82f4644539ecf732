import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type DerivativeKind, derivativePath, FITS, originalPath, parseMediaPath } from './derivatives.ts';
import { RECIPE } from './recipe.ts';

const SHA = 'ab'.repeat(32);
const id = fc.stringMatching(/^\w[\w.-]{0,199}$/);
const derivative = fc.record({
  fit: fc.constantFrom(...FITS),
  kind: fc.constantFrom<DerivativeKind>('animated', 'still'),
});

test('an original is named by its hash and its actual format', () => {
  expect(originalPath(SHA, 'webp')).toBe(`/m/${SHA}.webp`);
  expect(parseMediaPath(`/m/${SHA}.webp`)).toEqual({ type: 'original', sha256: SHA, format: 'webp' });
});

describe('a preview', () => {
  test.each([
    [`${SHA}.gif`, 'animated', `/p/${RECIPE}/w240/${SHA}.gif`],
    [`${SHA}.gif`, 'still', `/p/${RECIPE}/w240/${SHA}.png`],
    ['cat', 'animated', `/p/${RECIPE}/w240/cat~.gif`],
    ['cat.gif.gif', 'animated', `/p/${RECIPE}/w240/cat.gif.gif`],
    ['cat.GIF', 'still', `/p/${RECIPE}/w240/cat.GIF~.png`],
    ['cat.gif.', 'animated', `/p/${RECIPE}/w240/cat.gif.~.gif`],
  ] as const)('of %s, %s, is at %s', (of, kind, path) => {
    expect(derivativePath(of, { fit: 'w240', kind })).toBe(path);
  });

  test('of any id can be parsed from its path', () => {
    fc.assert(
      fc.property(id, derivative, (of, wanted) => {
        const path = derivativePath(of, wanted);
        expect(parseMediaPath(path)).toEqual({ type: 'derivative', recipe: RECIPE, derivative: wanted, id: of });
      }),
    );
  });

  test('of another id has another path', () => {
    fc.assert(
      fc.property(id, id, derivative, (a, b, wanted) => {
        fc.pre(a !== b);
        expect(derivativePath(a, wanted)).not.toBe(derivativePath(b, wanted));
      }),
    );
  });

  test('has only one path', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\/p\/r1\/w240\/[\w.~-]{1,30}\.(gif|png)$/), (path) => {
        const parsed = parseMediaPath(path);
        fc.pre(parsed?.type === 'derivative');
        expect(derivativePath(parsed.id, parsed.derivative)).toBe(path);
      }),
    );
  });
});

test.each([
  '',
  '/',
  '/m/',
  `/m/${SHA}`,
  `/m/${SHA}.png`,
  `/m/${SHA.slice(1)}.gif`,
  `/m/${SHA.toUpperCase()}.gif`,
  `/m/${SHA}.gif/`,
  `/p/${RECIPE}/w240/`,
  `/p/${RECIPE}/w240/.gif`,
  `/p/${RECIPE}/w240/~.gif`,
  `/p/${RECIPE}/w240/a~~.gif`,
  `/p/${RECIPE}/w240/a.gif~.gif`,
  `/p/${RECIPE}/w241/a.gif`,
  `/p/${RECIPE}/toString/a.gif`,
  `/p/x/w240/a.gif`,
  `/p/${RECIPE}/w240/${'a'.repeat(201)}.gif`,
  `/p/${RECIPE}/w240/a/../b.gif`,
])('%j is not a media path', (path) => {
  expect(parseMediaPath(path)).toBeNull();
});
