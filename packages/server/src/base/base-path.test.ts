import { expect, test } from 'vitest';
import { basePathOf, withBasePath } from './base-path.ts';

test.each([
  ['https://gifs.example', ''],
  ['https://gifs.example/', ''],
  ['https://example.com/gifs', '/gifs'],
  ['https://example.com/a/b/', '/a/b'],
])('the path of %s is "%s"', (publicUrl, path) => {
  expect(basePathOf(publicUrl)).toBe(path);
});

const PAGE =
  '<html lang="en"><a href="/?q=a">a</a> <img src="/x.gif"> <form action="/report"> <a href="//b.example/">b</a>';

test('links within the service get the path, and other links stay unchanged', () => {
  expect(withBasePath(PAGE, 'https://example.com/gifs')).toBe(
    '<html data-base="/gifs" lang="en"><a href="/gifs/?q=a">a</a> <img src="/gifs/x.gif"> <form action="/gifs/report"> <a href="//b.example/">b</a>',
  );
  expect(withBasePath(PAGE, 'https://gifs.example')).toBe(PAGE);
});

test('a path with special characters stays within its attribute', () => {
  const page = withBasePath(PAGE, 'https://example.com/$&"<&amp;');
  expect(page).toContain('<html data-base="/$&amp;%22%3C&amp;amp;" lang="en">');
});
