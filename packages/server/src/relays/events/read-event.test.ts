import fc from 'fast-check';
import { npubEncode } from 'nostr-tools/nip19';
import { finalizeEvent, generateSecretKey } from 'nostr-tools/pure';
import { Value } from 'typebox/value';
import { describe, expect, inject, it, test } from 'vitest';
import type { RelayEvent } from '../../platform/relay/index.ts';
import { authorsOf, listedPubkeys, newestLists } from '../authors.ts';
import { RelayConfig } from '../config.ts';
import { streamsOf } from '../streams.ts';
import { gifAddresses, readSaid } from './read-event.ts';
import type { Said, Saying } from './said.ts';
import { cleanAlt, plainWords } from './words.ts';

const URL = 'https://media.example/happy-dance.gif';
const X = 'a'.repeat(64);
const key = generateSecretKey();

function event(kind: number, tags: string[][], content = '', createdAt = 1_790_000_000): RelayEvent {
  return finalizeEvent({ kind, tags, content, created_at: createdAt }, key);
}

function claimsOf(from: RelayEvent): Saying[] {
  return (readSaid(from) as Said).claims;
}

describe('a file (NIP-94)', () => {
  it('reads all fields that GIF Buddy writes', () => {
    const tags = [
      ['url', URL],
      ['m', 'image/gif'],
      ['x', X],
      ['ox', 'b'.repeat(64)],
      ['dim', '1x2'],
      ['summary', 'party'],
    ];
    const more = [
      ['alt', 'A  cat'],
      ['fallback', 'https://tenor.example/1.gif'],
      ['t', '#Cats'],
      ['t', 'cats'],
      ['t', 'nsfw'],
    ];
    expect(claimsOf(event(1063, [...tags, ...more]))).toMatchObject([
      {
        urls: [URL, 'https://tenor.example/1.gif'],
        hashes: [X, 'b'.repeat(64)],
        title: 'party',
        titleRank: 0,
        alt: 'A cat',
        tags: ['cats'],
        adult: true,
        bare: false,
      },
    ]);
  });

  it.each([
    ['http://media.example/a.gif', 'not_https'],
    ['https://me:secret@media.example/a.gif', 'not_https'],
    ['nonsense', 'not_https'],
    [`https://media.example/${'a'.repeat(3_000)}.gif`, 'not_https'],
  ])('at %.40s is rejected', (url, reason) => {
    expect(
      readSaid(
        event(1063, [
          ['url', url],
          ['m', 'image/gif'],
        ]),
      ),
    ).toBe(reason);
  });

  it('is ignored if it is not a GIF, or its hash is invalid', () => {
    expect(
      readSaid(
        event(1063, [
          ['url', URL],
          ['m', 'video/mp4'],
        ]),
      ),
    ).toBe('other_type');
    expect(
      readSaid(
        event(1063, [
          ['url', URL],
          ['m', 'image/gif'],
          ['x', 'short'],
        ]),
      ),
    ).toBe('bad_hash');
  });

  it('is named after its file if there are no words', () => {
    expect(
      claimsOf(
        event(
          1063,
          [
            ['url', URL],
            ['m', 'image/gif'],
          ],
          URL,
        ),
      ),
    ).toMatchObject([{ title: 'happy dance', titleRank: 2 }]);
  });

  it.each([
    [[['content-warning', '']], ''],
    [
      [
        ['L', 'content-warning'],
        ['l', 'violence', 'content-warning'],
      ],
      '',
    ],
    [[['l', 'NS-nud', 'social.ontology']], ''],
    [[], 'look #NSFW'],
  ])('is adult with the tags %j and the text "%s"', (tags, content) => {
    const [claim] = claimsOf(event(1063, [['url', URL], ['m', 'image/gif'], ...tags], content));
    expect(claim!.adult).toBe(true);
  });

  it('has a language', () => {
    const tags = [
      ['url', URL],
      ['m', 'image/gif'],
      ['L', 'ISO-639-1'],
      ['l', 'DE', 'ISO-639-1'],
    ];
    expect(claimsOf(event(1063, tags, 'Katze'))).toMatchObject([{ lang: 'de', title: 'Katze', titleRank: 0 }]);
  });
});

describe('a note', () => {
  it('claims files with their fields, and bare URLs without any fields', () => {
    const meta = ['imeta', `url ${URL}`, 'm image/gif', `x ${X}`, 'alt a dance of joy'];
    const content = `so happy ${URL} and https://other.example/b.gif, https://other.example/b.gif`;
    expect(claimsOf(event(1, [meta], content))).toMatchObject([
      { part: 0, urls: [URL], hashes: [X], title: 'a dance of joy', titleRank: 0, bare: false },
      { part: 1, urls: ['https://other.example/b.gif'], title: 'so happy and', titleRank: 1, bare: true },
    ]);
  });

  it('ignores fields of files that are not in its text', () => {
    expect(readSaid(event(1, [['imeta', `url ${URL}`, 'm image/gif']], 'nothing here'))).toBe('no_gif');
    expect(
      claimsOf(
        event(20, [
          ['imeta', `url ${URL}`, 'm image/gif'],
          ['title', 'A picture'],
        ]),
      ),
    ).toMatchObject([{ title: 'A picture' }]);
  });

  it('has at most sixteen GIFs', () => {
    const content = Array.from({ length: 40 }, (_, n) => `https://a.example/${n}.gif`).join(' ');
    expect(claimsOf(event(1, [], content)).map(({ part }) => part)).toEqual(Array.from({ length: 16 }, (_, n) => n));
  });
});

describe('a vote', () => {
  it('can be a like, but not a dislike', () => {
    expect(readSaid(event(7, [['e', X]], '+'))).toMatchObject({ votes: [{ target: X, weight: 1 }] });
    for (const dislike of ['-', '👎']) expect(readSaid(event(7, [['e', X]], dislike))).toBe('no_gif');
  });

  it('is for the last event that a like names, which can be a reply to the others', () => {
    const tags = [
      ['e', 'c'.repeat(64)],
      ['e', X],
    ];
    expect(readSaid(event(7, tags, '🔥'))).toMatchObject({ votes: [{ target: X }] });
  });

  /** Returns the receipt for a request to zap. */
  function zapFor(millisats: string, kind = 9734): RelayEvent {
    const request = event(kind, [
      ['e', X],
      ['amount', millisats],
    ]);
    return event(9735, [
      ['e', X],
      ['description', JSON.stringify(request)],
    ]);
  }

  it('weighs a zap by its sats, which events give in thousandths', () => {
    expect((readSaid(zapFor('9000')) as Said).votes[0]!.weight).toBeCloseTo(1, 6);
    expect(readSaid(zapFor('999'))).toBe('no_gif');
  });

  it('needs a request to zap: other events of its sender prove nothing', () => {
    expect(readSaid(zapFor('9000', 1))).toBe('no_gif');
  });

  it('can be a zap by its sender, weighted by the logarithm of its sats', () => {
    const request = event(9734, [
      ['e', X],
      ['amount', '999000'],
    ]);
    const zap = event(9735, [
      ['e', X],
      ['description', JSON.stringify(request)],
    ]);
    const [vote] = (readSaid(zap) as Said).votes;
    expect(vote).toMatchObject({ target: X, author: request.pubkey, weight: 3 });
    expect(vote!.proof).toMatchObject({ id: request.id });
    const other = event(9735, [
      ['e', 'c'.repeat(64)],
      ['description', JSON.stringify(request)],
    ]);
    expect(readSaid(other)).toBe('no_gif');
  });
});

describe('a report (NIP-56)', () => {
  const reportsOf = (tags: string[][], content = '') => (readSaid(event(1984, tags, content)) as Said).reports;

  it('is about files or events, with a reason', () => {
    const other = 'b'.repeat(64);
    const tags = [
      ['p', 'c'.repeat(64), 'spam'],
      ['e', other, 'nudity'],
      ['x', X],
      ['x', 'no hash'],
    ];
    expect(reportsOf(tags, 'not for children')).toMatchObject([
      { hashes: [X], events: [other], reason: 'adult', message: 'not for children' },
    ]);
    expect(reportsOf([['x', X, 'illegal']])[0]!.reason).toBe('illegal');
    expect(reportsOf([['x', X, 'impersonation']])[0]!.reason).toBe('other');
  });

  it('about a person only is ignored', () => {
    expect(readSaid(event(1984, [['p', 'c'.repeat(64), 'spam']]))).toBe('no_gif');
  });
});

describe('the accepted authors', () => {
  const [me, friend, stranger] = ['1', '2', '3'].map((digit) => digit.repeat(64)) as [string, string, string];
  const config = { ...(Value.Default(RelayConfig, {}) as RelayConfig), pubkeys: ` ${npubEncode(me)},${me} ` };
  const list = (createdAt: number, follows: string[]): RelayEvent => {
    return {
      ...event(
        3,
        follows.map((pubkey) => ['p', pubkey]),
        '',
        createdAt,
      ),
      pubkey: me,
    };
  };

  test('are everybody, the listed people, or also the people whom they follow', () => {
    const lists = newestLists([list(5, [stranger]), list(7, [friend, 'nonsense']), list(6, [stranger])]);
    const allowed = (authors: RelayConfig['authors']) => {
      const policy = authorsOf({ ...config, authors }, lists);
      return [me, friend, stranger].map((pubkey) => policy.allows(pubkey));
    };
    expect(listedPubkeys(config)).toEqual([me, me]);
    expect(allowed('open')).toEqual([true, true, true]);
    expect(allowed('listed')).toEqual([true, false, false]);
    expect(allowed('followed')).toEqual([true, true, false]);
  });

  test('are rejected with a message to the operator if their list is empty or misspelt', () => {
    const named = (pubkeys: string) => () => authorsOf({ ...config, pubkeys, authors: 'listed' }, []);
    expect(named(' ')).toThrow('ZOETROPE_RELAY_PUBKEYS is empty');
    expect(named(npubEncode(me).replace(/.$/, 'q'))).toThrow('is not a valid npub');
  });

  test('are used as a filter if they are few', () => {
    const authors = authorsOf({ ...config, authors: 'listed' }, []);
    expect(streamsOf(config, authors)[0]!.filter.authors).toEqual([me]);
    expect(authorsOf(config, []).named).toBeUndefined();
    expect(
      streamsOf({ ...config, clips: 'on', noteDays: 0, reactions: 'off' }, authors).map(({ name }) => name),
    ).toEqual(['files', 'clips', 'deletions', 'reports']);
  });
});

test('plainWords removes markup and links, and limits the length', () => {
  expect(plainWords('  so #happy\nnostr:npub1abc https://a.example/x  today ')).toBe('so happy today');
  expect(plainWords('x'.repeat(500)).length).toBe(200);
});

test('no text is cut in the middle of a character', () => {
  expect(plainWords(`${'x'.repeat(198)}😀😀`)).toBe(`${'x'.repeat(198)}…`);
  expect(cleanAlt(`${'x'.repeat(999)}😀`)).toBe('x'.repeat(999));
  const [report] = (readSaid(event(1984, [['x', X, 'illegal']], `${'x'.repeat(1_999)}😀`)) as Said).reports;
  expect(report!.message).toBe('x'.repeat(1_999));
});

describe('the URLs of GIFs in a text', () => {
  /** A pattern that finds the same URLs, but is slow for some texts. */
  const PATTERN = /\bhttps:\/\/[^\s"'<>]+?\.gif(?=$|[\s?#"'<>)\],.!])/gi;
  const pieces = [
    'https://',
    'HTTPS://',
    'http://',
    'a',
    '/b',
    '.gif',
    '.GIF',
    '.gift',
    '?',
    ')',
    '"',
    ' ',
    '\n',
    ',',
    'é',
  ];

  it('are those that a single regular expression finds', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 14 }), (parts) => {
        const text = parts.join('');
        expect(gifAddresses(text)).toEqual([...text.matchAll(PATTERN)].map(([address]) => address));
      }),
      { numRuns: 2_000 * inject('cases') },
    );
  });

  /** The long text is this many times as long as the short text. */
  const GROWTH = 256;

  it.each(['https://', 'https://a', 'https://a.gif', '.gif', 'https://a ', 'https://a.gif.'])(
    'are found in linear time in a text that repeats %j',
    (piece) => {
      const [short, long] = [piece.repeat(125), piece.repeat(GROWTH * 125)];
      const times = Array.from({ length: 9 }, () => [timeOf(GROWTH, short), timeOf(1, long)] as const);
      const [shorts, longs] = [0, 1].map((n) => Math.min(...times.map((pair) => pair[n]!)));
      // The short text is read `GROWTH` times. In linear time, both texts therefore take equally long. In quadratic
      // time, the long text takes `GROWTH` times as long. This difference is too large to be hidden or caused by
      // disturbances of all nine measurements.
      expect(longs! / shorts!).toBeLessThan(GROWTH / 4);
    },
  );

  function timeOf(count: number, text: string): number {
    const start = performance.now();
    for (let n = 0; n < count; n++) gifAddresses(text);
    return performance.now() - start;
  }
});
