import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { LightningProvider } from './provider.ts';
import { openLnbits } from './providers/lnbits.ts';
import { openPhoenixd } from './providers/phoenixd.ts';

const HASH = 'ab'.repeat(32);
const PREIMAGE = 'cd'.repeat(32);
const WANTED = { amountMsat: 1_000_000, description: 'Client x', expirySeconds: 900 };

interface Asked {
  line: string;
  headers: IncomingMessage['headers'];
  body: string;
}

let server: http.Server;
let url: string;
let asked: Asked[];
/** The responses of the wallet's server, keyed by method and path. Any other request gets 404. */
let answers: Record<string, unknown>;
/** If set, responses never end, and this function is called when the client closes the connection. */
let endless: (() => void) | undefined;

beforeAll(async () => {
  server = http.createServer(async (request, response) => {
    const line = `${request.method} ${request.url}`;
    asked.push({ line, headers: request.headers, body: await text(request) });
    if (endless) {
      response.on('close', endless);
      return pourInto(response);
    }
    const answer = answers[line];
    if (typeof answer === 'number') response.writeHead(answer).end('no');
    else if (answer === undefined) response.writeHead(404).end();
    else response.end(JSON.stringify(answer));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());
beforeEach(() => {
  asked = [];
  answers = {};
  endless = undefined;
});

function pourInto(response: ServerResponse): void {
  if (response.destroyed) return;
  const piece = 'x'.repeat(16_384);
  response.write(piece, (error) => {
    if (!error) pourInto(response);
  });
}

interface Kind {
  name: string;
  open: () => LightningProvider;
  create: [line: string, answer: object, body: Record<string, string>];
  look: string;
  paid: object;
  unpaid: object;
  header: [name: string, value: string];
}

const KINDS: Kind[] = [
  {
    name: 'phoenixd',
    open: () => openPhoenixd({ url: `${url}/`, password: 'secret' }),
    create: [
      'POST /createinvoice',
      { serialized: 'lnbc1', paymentHash: HASH, amountSat: 1_000 },
      { amountSat: '1000', description: 'Client x', expirySeconds: '900' },
    ],
    look: `GET /payments/incoming/${HASH}`,
    paid: { isPaid: true, preimage: PREIMAGE },
    unpaid: { isPaid: false, preimage: PREIMAGE },
    header: ['authorization', `Basic ${Buffer.from(':secret').toString('base64')}`],
  },
  {
    name: 'lnbits',
    open: () => openLnbits({ url, key: 'secret' }),
    create: [
      'POST /api/v1/payments',
      { payment_request: 'lnbc1', payment_hash: HASH },
      { amount: '1000', memo: 'Client x', expiry: '900', out: 'false' },
    ],
    look: `GET /api/v1/payments/${HASH}`,
    paid: { paid: true, preimage: PREIMAGE },
    unpaid: { paid: false, preimage: PREIMAGE },
    header: ['x-api-key', 'secret'],
  },
];

describe.each(KINDS)('$name', ({ open, create, look, paid, unpaid, header }) => {
  test('creates an invoice', async () => {
    const [line, answer, body] = create;
    answers = { [line]: answer };
    expect(await open().createInvoice(WANTED)).toEqual({ bolt11: 'lnbc1', paymentHash: HASH });
    expect(asked[0]!.headers[header[0]]).toBe(header[1]);
    const sent = asked[0]!.body.startsWith('{')
      ? Object.entries(JSON.parse(asked[0]!.body) as object).map(([name, value]) => [name, String(value)])
      : [...new URLSearchParams(asked[0]!.body)];
    expect(Object.fromEntries(sent)).toEqual(body);
  });

  test('treats anything but a text as an empty text', async () => {
    const [line, answer] = create;
    answers = { [line]: Object.fromEntries(Object.keys(answer).map((field) => [field, [{ toString: 1 }]])) };
    expect(await open().createInvoice(WANTED)).toEqual({ bolt11: '', paymentHash: '' });
  });

  test('reports separately whether an invoice is settled, and its preimage', async () => {
    answers = { [look]: paid };
    expect(await open().lookUp(HASH)).toEqual({ isSettled: true, preimage: PREIMAGE });
    answers = { [look]: unpaid };
    expect(await open().lookUp(HASH)).toEqual({ isSettled: false, preimage: PREIMAGE });
    answers = { [look]: { preimage: PREIMAGE } };
    expect(await open().lookUp(HASH)).toEqual({ isSettled: false, preimage: PREIMAGE });
    answers = {};
    expect(await open().lookUp(HASH)).toBeUndefined();
  });

  test('reads an endless response only up to 64 kB', async () => {
    const ended = Promise.withResolvers<void>();
    endless = ended.resolve;
    await expect(open().lookUp(HASH)).rejects.toThrow('more than 64 kB');
    await ended.promise;
  });

  test('reports failures without the secret', async () => {
    answers = { [look]: 500, [create[0]]: 401 };
    await expect(open().lookUp(HASH)).rejects.toThrow('the wallet returned 500');
    const failure = await open()
      .createInvoice(WANTED)
      .catch((error: Error) => error.message);
    expect(failure).toBe('the wallet returned 401');
  });
});

describe('lnbits', () => {
  const lookUp = async (answer: object) => {
    answers = { [`GET /api/v1/payments/${HASH}`]: answer };
    return openLnbits({ url, key: 'secret' }).lookUp(HASH);
  };
  const settled = (preimage: string | undefined) => ({ isSettled: true, preimage });

  test('is read with the preimage in the details, and with a status instead of a boolean', async () => {
    const details = { preimage: PREIMAGE, status: 'success' };
    expect(await lookUp({ paid: true, details })).toEqual(settled(PREIMAGE));
    expect(await lookUp({ paid: true, preimage: null, details })).toEqual(settled(PREIMAGE));
    expect(await lookUp({ details })).toEqual(settled(PREIMAGE));
    expect(await lookUp({ status: 'success', preimage: PREIMAGE })).toEqual(settled(PREIMAGE));
    expect(await lookUp({ paid: false, details })).toEqual({ isSettled: false, preimage: PREIMAGE });
    expect(await lookUp({ status: 'pending', details: 'none' })).toEqual({ isSettled: false, preimage: undefined });
  });

  test.each([null, '', '0'.repeat(64), 'cd'.repeat(31), 'not hex'.repeat(10), 5, { toString: 5 }])(
    'has no preimage if it sends %j',
    async (preimage) => {
      expect(await lookUp({ paid: true, preimage })).toEqual(settled(undefined));
    },
  );
});

test.each([
  ['phoenixd', () => openPhoenixd({ url, password: 'secret' })],
  ['lnbits', () => openLnbits({ url, key: 'secret' })],
] as const)('%s can send hashes and preimages in capital letters', async (name, open) => {
  const [CAPITAL_HASH, CAPITAL] = [HASH.toUpperCase(), PREIMAGE.toUpperCase()];
  answers =
    name === 'lnbits'
      ? {
          'POST /api/v1/payments': { bolt11: 'lnbc1', payment_hash: CAPITAL_HASH },
          [`GET /api/v1/payments/${HASH}`]: { paid: true, preimage: CAPITAL },
        }
      : {
          'POST /createinvoice': { serialized: 'lnbc1', paymentHash: CAPITAL_HASH },
          [`GET /payments/incoming/${HASH}`]: { isPaid: true, preimage: CAPITAL },
        };
  expect((await open().createInvoice(WANTED)).paymentHash).toBe(HASH);
  expect((await open().lookUp(HASH))?.preimage).toBe(PREIMAGE);
});

test('missing settings are named', () => {
  expect(() => openPhoenixd({ url: '', password: 'x' })).toThrow('ZOETROPE_WALLET=phoenixd+http');
  expect(() => openLnbits({ url: 'http://a', key: '' })).toThrow('ZOETROPE_WALLET=lnbits+http');
});
