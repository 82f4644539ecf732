import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalOrigin, matchingOrigins, parseOrigin } from './origin.ts';

describe('an origin to register', () => {
  test.each([
    ['https://a.example', 'https://a.example'],
    ['HTTPS://A.Example:443', 'https://a.example'],
    ['https://a.example:8443', 'https://a.example:8443'],
    ['https://a.example/', 'https://a.example'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
    ['https://xn--bcher-kva.example', 'https://xn--bcher-kva.example'],
    ['https://*.A.example', 'https://*.a.example'],
    ['https://*.a.example:8443', 'https://*.a.example:8443'],
  ])('%s is stored as %s', (given, kept) => {
    expect(canonicalOrigin(given)).toBe(kept);
  });

  test.each([
    'http://a.example',
    'a.example',
    'null',
    '',
    'https://a.example/path',
    'https://a.example?q',
    'https://user@a.example',
    'https://a.example.',
    'https://localhost',
    'https://127.0.0.1',
    'https://2130706433',
    'https://0x7f.1',
    'https://[::1]',
    'https://*.example',
    'https://*',
    'https://*.*.a.example',
    'https://a*.example',
    'https://a.*.example',
    'https://a.example:99999',
    'https://a..example',
    'https://-a.example',
    'https://a.example\nhttps://b.example',
    'https://a.example, https://b.example',
    'capacitor://a.example',
    `https://${'a.'.repeat(130)}example`,
  ])('cannot be %j', (given) => {
    expect(() => canonicalOrigin(given)).toThrow(expect.objectContaining({ code: 'validation' }));
  });

  test('stays unchanged when it is registered again', () => {
    const label = fc.stringMatching(/^[a-zA-Zäöü\d]{1,8}$/);
    fc.assert(
      fc.property(label, label, fc.boolean(), fc.option(fc.integer({ min: 1, max: 65_535 })), (a, b, wild, port) => {
        const text = `https://${wild ? '*.' : ''}${a}.${b}.example${port === null ? '' : `:${port}`}`;
        const once = canonicalOrigin(text);
        expect(canonicalOrigin(once)).toBe(once);
        expect(once).toBe(once.toLowerCase());
      }),
    );
  });
});

describe('an Origin header', () => {
  test.each([
    ['https://a.example', 'https://a.example'],
    ['https://A.EXAMPLE:443', 'https://a.example'],
    ['http://a.example:80', 'http://a.example'],
    ['https://a.example:80', 'https://a.example:80'],
    ['https://[::1]:3000', 'https://[::1]:3000'],
  ])('%s is %s', (given, read) => {
    expect(parseOrigin(given)).toBe(read);
  });

  test.each([
    'capacitor://localhost',
    'file://',
    'app://a.example',
    'https://',
    'https://a.example/',
    'https://a.example https://b.example',
    'https://a.example, https://b.example',
    'https://%61.example',
    'https://*.a.example',
    'https://a.example:',
    'https://user:secret@a.example',
    `https://${'a'.repeat(400)}.example`,
    'null',
  ])('%s is invalid', (given) => {
    expect(parseOrigin(given)).toBeNull();
  });

  test('with any text gives null or the same origin as URL, and never throws', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.webUrl(),
      fc.string().map((rest) => `https://${rest}`),
    );
    fc.assert(
      fc.property(text, (given) => {
        const origin = parseOrigin(given);
        if (origin !== null) expect(new URL(given).origin).toBe(origin);
      }),
    );
  });
});

test('a wildcard matches subdomains at any depth, not the domain itself or names with the same ending', () => {
  const label = fc.stringMatching(/^[a-z][a-z\d]{0,7}$/);
  fc.assert(
    fc.property(fc.array(label, { minLength: 1, maxLength: 5 }), label, (sub, domain) => {
      const wildcard = `https://*.${domain}.example`;
      expect(matchingOrigins(`https://${sub.join('.')}.${domain}.example`)).toContain(wildcard);
      expect(matchingOrigins(`https://${domain}.example`)).not.toContain(wildcard);
      expect(matchingOrigins(`https://${sub[0]}${domain}.example`)).not.toContain(wildcard);
      expect(matchingOrigins(`https://${sub.join('.')}.${domain}.example:8443`)).not.toContain(wildcard);
      expect(matchingOrigins(`https://${domain}.example.${sub.join('.')}`)).not.toContain(wildcard);
    }),
  );
});
