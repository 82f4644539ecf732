import type { RequestListener } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { isPublicAddress } from '../../platform/fetch/index.ts';
import { type Domains, HAS_OPENSSL, startDomains } from '../testing/domains.ts';
import { askDomain, ProofError, type ProofOptions } from './nip05.ts';

const PUBKEY = 'ab'.repeat(32);

async function failureOf(asked: Promise<unknown>): Promise<string> {
  const error = await asked.then(
    () => new Error('it was proven'),
    (failure: unknown) => failure,
  );
  expect(error).toBeInstanceOf(ProofError);
  return (error as ProofError).failure;
}

/** The service must refuse an invalid domain without resolving its name. */
test.each([
  '127.0.0.1',
  '127.1',
  '0x7f000001',
  '2130706433',
  '[::1]',
  'localhost',
  'host:8080',
  'a@b.example',
  'a.example/',
  'a.example\nx',
  'a_b.example',
  '.example',
  'a..example',
  'a.example.',
])('askDomain does not ask %j', async (domain) => {
  const options: ProofOptions = { resolve: (() => expect.unreachable()) as never };
  expect(await failureOf(askDomain(domain, '_', options))).toBe('bad_domain');
});

test.each(['', 'a b', 'é', '\ud800', 'x'.repeat(65)])('askDomain does not ask for the name %j', async (name) => {
  const options: ProofOptions = { resolve: (() => expect.unreachable()) as never };
  expect(await failureOf(askDomain('wisp.example', name, options))).toBe('bad_domain');
});

describe.skipIf(!HAS_OPENSSL)('askDomain', () => {
  let domains: Domains;

  beforeAll(async () => {
    domains = await startDomains(['wisp.example']);
  });

  afterEach(() => {
    domains.answers.clear();
    domains.addresses.clear();
  });

  afterAll(() => domains.stop());

  const ask = (over: ProofOptions = {}) => askDomain('wisp.example', '_', { ...domains.options, ...over });

  test('returns the key that a domain names', async () => {
    const asked: string[] = [];
    domains.answers.set('wisp.example', (request, response) => {
      asked.push(request.url!);
      response.end(JSON.stringify({ names: { _: PUBKEY } }));
    });
    expect(await ask()).toBe(PUBKEY);
    expect(asked).toEqual(['/.well-known/nostr.json?name=_']);
  });

  const answers: [string, RequestListener, string][] = [
    ['redirects', (_, response) => response.writeHead(302, { location: 'https://other.example/' }).end(), 'redirect'],
    ['fails', (_, response) => response.writeHead(500).end(), 'bad_status'],
    ['never ends', (_, response) => void flood(response), 'too_large'],
    [
      'closes the connection early',
      (_, response) => response.writeHead(200, { 'content-length': 100 }).write('{', () => response.destroy()),
      'unreachable',
    ],
    ['returns an HTML page', (_, response) => response.end('<html>'), 'bad_json'],
  ];
  test.each(answers)('rejects a domain that %s', async (_, answer, failure) => {
    domains.answers.set('wisp.example', answer);
    expect(await failureOf(ask())).toBe(failure);
  });

  test.each([
    [[]],
    null,
    {},
    { names: [] },
    { names: null },
    { names: { _: 'npub1x' } },
    { names: { _: PUBKEY.toUpperCase() } },
  ])('finds no key in %j', async (body) => {
    domains.answers.set('wisp.example', (_, response) => response.end(JSON.stringify(body)));
    expect(await failureOf(ask())).toBe('no_name');
  });

  test('does not mistake an inherited property of the response for a name', async () => {
    domains.name('wisp.example', {});
    expect(await failureOf(askDomain('wisp.example', '__proto__', domains.options))).toBe('no_name');
  });

  test('gives up on a domain that responds byte by byte', async () => {
    domains.answers.set('wisp.example', (_, response) => response.write('{'));
    expect(await failureOf(ask({ timeoutMs: 100 }))).toBe('timed_out');
  });

  test.each([
    ['a private address', ['10.0.0.1']],
    ['this machine', ['127.0.0.1']],
    ['the metadata address of a cloud', ['169.254.169.254']],
    ['a public and a private address', ['93.184.215.14', '10.0.0.1']],
    ['a private address mapped to IPv6', ['::ffff:10.0.0.1']],
  ])('does not connect to a domain that resolves to %s', async (_, addresses) => {
    domains.addresses.set('wisp.example', addresses);
    expect(await failureOf(ask({ allows: isPublicAddress }))).toBe('blocked_address');
  });

  test('reports a domain that does not resolve', async () => {
    domains.addresses.set('wisp.example', []);
    expect(await failureOf(ask())).toBe('no_such_host');
  });

  test('requires a trusted certificate for this name', async () => {
    domains.name('a.wisp.example', { _: PUBKEY });
    expect(await failureOf(askDomain('a.wisp.example', '_', domains.options))).toBe('bad_certificate');
    const { ca: _, ...unknown } = domains.options;
    expect(await failureOf(askDomain('wisp.example', '_', unknown))).toBe('bad_certificate');
  });
});

/** Writes data until the connection is closed. */
function flood(response: { write(chunk: string, done: (error?: Error | null) => void): boolean }): void {
  response.write('x'.repeat(16_384), (error) => {
    if (!error) flood(response);
  });
}
