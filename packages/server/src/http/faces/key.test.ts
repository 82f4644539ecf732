import { expect, test } from 'vitest';
import { makeKey } from '../../identifiers/index.ts';
import { takeKey } from './key.ts';

const KEY = makeKey();

/** Returns the URL and the key header of a request after `takeKey`. */
function after(url: string, headers: Record<string, string> = {}) {
  const request = { url, headers: { ...headers } };
  expect(takeKey(request)).toBe(request.url);
  return { url: request.url, authorization: (request.headers as Record<string, string>)['authorization'] };
}

test.each([
  [`/tenor/v2/search?q=cat&key=${KEY}`, '/tenor/v2/search?q=cat'],
  [`/tenor/v2/search?key=${KEY}`, '/tenor/v2/search'],
  [`/giphy/v1/gifs/search?api_key=${KEY}&q=cat&pingback_id=1`, '/giphy/v1/gifs/search?q=cat'],
  [`/klipy/api/v1/${KEY}/gifs/search?q=cat&customer_id=me`, '/klipy/api/v1/gifs/search?q=cat'],
  [`/klipy/api/v1/${KEY}/gifs/gifs`, '/klipy/api/v1/gifs/gifs'],
])('the key of %s is moved into a header', (url, left) => {
  expect(after(url)).toEqual({ url: left, authorization: `Bearer ${KEY}` });
});

test('a URL whose key was already removed stays unchanged', () => {
  for (const url of ['/klipy/api/v1/gifs/search?q=cat', '/klipy/api/v1/gifs/gifs', '/tenor/v2/search?q=cat&q=dog'])
    expect(after(url)).toEqual({ url, authorization: undefined });
});

test('other paths keep their parameters', () => {
  const url = `/api/v1/search?q=cat&key=${KEY}`;
  expect(after(url)).toEqual({ url, authorization: undefined });
});

test('a key is not used if the request has an origin or a key in a header, or if the key is not one of ours', () => {
  const url = `/tenor/v2/search?key=${KEY}`;
  expect(after(url, { origin: 'https://app.example' }).authorization).toBeUndefined();
  expect(after(url, { origin: 'null' }).authorization).toBe(`Bearer ${KEY}`);
  expect(after(url, { authorization: 'Bearer other' }).authorization).toBe('Bearer other');
  for (const wrong of ['', 'LIVDSRZULELA', `${KEY}x`, '%'])
    expect(after(`/tenor/v2/search?key=${wrong}`)).toEqual({ url: '/tenor/v2/search', authorization: undefined });
});

test('of several keys, the first is used and all are removed', () => {
  expect(after(`/tenor/v2/search?key=${KEY}&q=cat&key=other`)).toEqual({
    url: '/tenor/v2/search?q=cat',
    authorization: `Bearer ${KEY}`,
  });
});
