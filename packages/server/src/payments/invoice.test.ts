import { expect, test } from 'vitest';
import { checkInvoice } from './invoice.ts';

/** An invoice from BOLT 11's examples. It is for 0.02 bitcoin and has no expiry time. */
const BOLT11 =
  'lnbc20m1pvjluezpp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqhp58yjmdan79s6qqdhdzgynm4zwqd5d7xmw5fk98klysy04' +
  '3l2ahrqscc6gd6ql3jrc5yzme8v4ntcewwz5cnw92tz0pc8qcuufvq7khhr8wpald05e92xw006sq94mg8v2ndf4sefvf9sygkshp5zfem29trqq2yxxz7';
const HASH = '0001020304050607080900010203040506070809000102030405060708090102';
const MADE = 1_496_314_658_000;

test('an invoice that does not say when it expires is valid for an hour', () => {
  const wanted = { network: 'mainnet', amountMsat: 2_000_000_000 } as const;
  expect(checkInvoice({ bolt11: BOLT11, paymentHash: HASH }, wanted)).toEqual({
    paymentHash: HASH,
    expiresAt: MADE + 3_600_000,
  });
});

test.each([
  ['another network', {}, { network: 'regtest' as const }, 'not for regtest'],
  ['a network whose prefix begins with its own', { bolt11: BOLT11.replace('lnbc', 'lnbcrt') }, {}, 'not for mainnet'],
  ['another amount', {}, { amountMsat: 2_000_000_001 }, '2000000000 msat instead of 2000000001'],
  ['another payment hash', { paymentHash: 'f'.repeat(64) }, {}, 'payment hashes of wallet and invoice differ'],
  ['too many characters', { bolt11: BOLT11.padEnd(100_000, 'q') }, {}, 'the invoice has more than'],
])('an invoice with %s is refused', (_, made, wanted, reason) => {
  const check = () =>
    checkInvoice(
      { bolt11: BOLT11, paymentHash: HASH, ...made },
      { network: 'mainnet', amountMsat: 2_000_000_000, ...wanted },
    );
  expect(check).toThrow(reason);
});
