import { describe, expect, test } from 'vitest';
import { readOrigin } from './read-origin.ts';

describe('repairs a typed origin:', () => {
  test.each([
    ['https://app.example', 'https://app.example'],
    ['app.example', 'https://app.example'],
    ['  App.Example ', 'https://app.example'],
    ['HTTPS://APP.EXAMPLE/', 'https://app.example'],
    ['https://app.example/search?q=gm#top', 'https://app.example'],
    ['app.example/path/', 'https://app.example'],
    ['//app.example', 'https://app.example'],
    ['app.example:8443/', 'https://app.example:8443'],
    ['https://app.example:443', 'https://app.example'],
    ['https://me:secret@app.example/', 'https://app.example'],
    ['*.app.example', 'https://*.app.example'],
    ['https://*.App.example/path', 'https://*.app.example'],
    ['münchen.example', 'https://xn--mnchen-3ya.example'],
  ])('%j means %s', (typed, origin) => {
    expect(readOrigin(typed)).toEqual({ kind: 'origin', origin });
  });
});

test.each([
  'http://localhost:3000',
  'localhost:5173',
  'http://127.0.0.1/',
  '127.0.0.1:80',
  'http://[::1]:8080',
  'HTTPS://LOCALHOST',
])('%j is a page on this machine', (typed) => {
  expect(readOrigin(typed)).toEqual({ kind: 'local' });
});

test.each([
  ['capacitor://localhost', 'capacitor'],
  ['file:///home/me/index.html', 'file'],
  ['app://bundle', 'app'],
  ['Tauri://localhost', 'tauri'],
  ['chrome-extension://abcdef', 'chrome-extension'],
])('%j needs an API key', (typed, scheme) => {
  expect(readOrigin(typed)).toEqual({ kind: 'app', scheme });
});

test('a page without https is not registered, and its https form is named', () => {
  expect(readOrigin('http://App.example/x')).toEqual({ kind: 'insecure', origin: 'https://app.example' });
});

test.each([
  '',
  'app',
  '192.168.1.2',
  'https://10.0.0.1:3000',
  'two words.example',
  'https://',
  'https://app.*.example',
])('%j is unclear', (typed) => {
  expect(readOrigin(typed)).toEqual({ kind: 'unclear' });
});
