import fc from 'fast-check';
import { expect, inject, test } from 'vitest';
import { readWebAddress } from './web-address.ts';

test.each([
  ['https://a.example/x.gif', 'https://a.example/x.gif'],
  ['HTTPS://A.Example:443/x.gif#top', 'https://a.example/x.gif'],
  ['http://a.example', 'http://a.example/'],
  ['https://a.example/a b/../ü.gif?q=ü', 'https://a.example/%C3%BC.gif?q=%C3%BC'],
  ['https://bücher.example/x.gif', 'https://xn--bcher-kva.example/x.gif'],
  ['https:\\\\a.example\\x.gif', 'https://a.example/x.gif'],
  [`https://a.example/${'x'.repeat(1_982)}`, `https://a.example/${'x'.repeat(1_982)}`],
])('reads %s', (text, url) => {
  expect(readWebAddress(text)).toEqual({ url });
});

test.each([
  ['https://a.example/x.gif\n\nSend sats to me', 'control characters'],
  ['https://a.example/\tx.gif', 'control characters'],
  ['https://a.example/\u202egif.exe', 'direction marks'],
  ['https://a.example/\u2028x.gif', 'control characters'],
  ['https://user:pass@a.example/x.gif', 'user name or password'],
  ['https://gifs.example@evil.example/x.gif', 'user name or password'],
  ['ftp://a.example/x.gif', 'http:// or https://'],
  ['javascript:alert(1)', 'http:// or https://'],
  ['//a.example/x.gif', 'http:// or https://'],
  ['https://', 'http:// or https://'],
  [`https://a.example/${'x'.repeat(2_000)}`, 'at most 2000 characters'],
  [`https://a.example/${'ü'.repeat(500)}`, 'when it is escaped'],
])('refuses %j', (text, why) => {
  expect(readWebAddress(text)).toEqual({ refused: expect.stringContaining(why) });
});

test('a returned URL has only printable ASCII, no user and no fragment, and stays the same when it is read again', () => {
  const part = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.webPath(),
    fc.constantFrom('@', ':', '#', '\u202e', '\n', '//'),
  );
  fc.assert(
    fc.property(fc.webUrl({ withFragments: true, withQueryParameters: true }), fc.array(part), (url, parts) => {
      const read = readWebAddress(url + parts.join(''));
      if ('refused' in read) return;
      expect(read.url).toMatch(/^https?:\/\/[^\s@/#]+\/[\x21-\x7e]*$/);
      expect(read.url).not.toContain('#');
      expect(readWebAddress(read.url)).toEqual(read);
    }),
    { numRuns: 500 * inject('cases') },
  );
});

test('the schemes can be limited', () => {
  expect(readWebAddress('http://a.example/x.gif', ['https'])).toEqual({
    refused: 'must start with https:// and a host',
  });
});
