import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Recent } from './dictionaries.ts';

test('returns the values that make computes, and computes them again only for forgotten keys', () => {
  const key = fc.constantFrom('a', 'b', 'c', 'd', 'e');
  fc.assert(
    fc.property(fc.array(key), fc.integer({ min: 1, max: 4 }), (keys, most) => {
      const recent = new Recent<string>(most);
      let known: string[] = [];
      for (const each of keys) {
        let isAsked = false;
        const value = recent.get(each, () => {
          isAsked = true;
          return `${each}!`;
        });
        expect(value).toBe(`${each}!`);
        expect(isAsked).toBe(!known.includes(each));
        if (isAsked) known = [...known, each].slice(-most);
      }
    }),
  );
});
