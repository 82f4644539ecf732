import { parse } from 'node:querystring';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readQueryString } from './cached-route.ts';

test('reads the query strings that forms and URLSearchParams write', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.string({ unit: 'grapheme', minLength: 1 }), fc.string({ unit: 'grapheme' }))),
      (pairs) => {
        const written = new URLSearchParams(pairs).toString();
        expect({ ...readQueryString(`/search?${written}`) }).toEqual({ ...parse(written) });
      },
    ),
  );
});

test.each([
  ['/search', {}],
  ['/search?', {}],
  ['/search?q', { q: '' }],
  ['/search?q=a=b&&x', { q: 'a=b', x: '' }],
  ['/search?q=a+b%2B', { q: 'a b+' }],
  ['/search?q=1&q=2&q=3', { q: ['1', '2', '3'] }],
  ['/search?__proto__=1&constructor=2', JSON.parse('{"__proto__":"1","constructor":"2"}')],
])('%s', (address, expected) => {
  const query = readQueryString(address);
  expect(Object.entries(query)).toEqual(Object.entries(expected));
});

test.each(['q=%', 'q=%zz', 'q=%ff', 'q=%C3%28', 'q=%ed%a0%80'])('rejects %s, naming the parameter', (query) => {
  expect(() => readQueryString(`/search?${query}`)).toThrow(/^q has a % that does not start a UTF-8 escape/);
});

test('accepts a hundred parameters, and rejects more', () => {
  const address = (count: number) => `/search?${Array(count).fill('a=1').join('&')}`;
  expect(readQueryString(address(100))['a']).toHaveLength(100);
  expect(() => readQueryString(address(101))).toThrow('more than 100 parameters');
});
