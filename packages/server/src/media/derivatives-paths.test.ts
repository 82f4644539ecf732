import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Derivative, derivativePath, FITS, originalPath, parseMediaPath, VIDEOS } from './derivatives.ts';
import { RECIPE } from './recipe.ts';

const SHA = 'ab'.repeat(32);
const id = fc.stringMatching(/^\w[\w.-]{0,199}$/);
const derivative: fc.Arbitrary<Derivative> = fc.oneof(
  fc.record({ fit: fc.constantFrom(...FITS), kind: fc.constantFrom('animated', 'still') }),
  fc.constantFrom(...VIDEOS),
);

test('an original is named by its hash and its actual format', () => {
  expect(originalPath(SHA, 'webp')).toBe(`/m/${SHA}.webp`);
  expect(parseMediaPath(`/m/${SHA}.webp`)).toEqual({ type: 'original', sha256: SHA, format: 'webp' });
});

describe('a preview or video', () => {
  test.each([
    [`${SHA}.gif`, 'animated', `/p/${RECIPE}/w240/${SHA}.gif`],
    [`${SHA}.gif`, 'still', `/p/${RECIPE}/w240/${SHA}.png`],
    ['cat', 'animated', `/p/${RECIPE}/w240/cat~.gif`],
    ['cat.gif.gif', 'animated', `/p/${RECIPE}/w240/cat.gif.gif`],
    ['cat.GIF', 'still', `/p/${RECIPE}/w240/cat.GIF~.png`],
    ['cat.gif.', 'animated', `/p/${RECIPE}/w240/cat.gif.~.gif`],
    ['cat.gif', 'video', `/v/${RECIPE}/w240/cat.mp4`],
  ] as const)('of %s, %s, is at %s', (of, kind, path) => {
    expect(derivativePath(of, { fit: 'w240', kind })).toBe(path);
  });

  test('in the original size is at a path without a fit', () => {
    expect(derivativePath('cat.gif', { kind: 'video' })).toBe(`/v/${RECIPE}/cat.mp4`);
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
      fc.property(fc.stringMatching(/^\/(p\/r1\/w240|v\/r1(\/w240)?)\/[\w.~-]{1,30}\.(gif|png|mp4)$/), (path) => {
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
  `/v/${RECIPE}/w480/a.mp4`,
  `/v/${RECIPE}/w240/w240/a.mp4`,
  `/p/${RECIPE}/toString/a.gif`,
  `/p/x/w240/a.gif`,
  `/p/${RECIPE}/w240/${'a'.repeat(201)}.gif`,
  `/p/${RECIPE}/w240/a/../b.gif`,
])('%j is not a media path', (path) => {
  expect(parseMediaPath(path)).toBeNull();
});
