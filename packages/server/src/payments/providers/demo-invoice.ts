import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { MadeInvoice, WantedInvoice } from '../provider.ts';

/* Invoices without a node (BOLT 11). Any wallet can read these invoices. No wallet can pay them, because they are
   on regtest. */

/** The letters for the numbers 0 to 31, and the generator of the checksum. Source: BIP 173. */
const LETTERS = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
/** Type numbers of tagged fields. Source: BOLT 11. */
const FIELDS = { paymentHash: 1, features: 5, expiry: 6, description: 13, secret: 16, payee: 19 };
/** The features that every invoice needs: bit 8 (onions of variable length) and bit 14 (payment secret). */
const FEATURES = (1 << 8) | (1 << 14);
/** Order of the curve secp256k1. */
const ORDER = 0xffff_ffff_ffff_ffff_ffff_ffff_ffff_fffe_baae_dce6_af48_a03b_bfd2_5e8c_d036_4141n;
const MSAT_PER_NANO = 100;

/** An invoice consists of such numbers, from 0 to 31. */
type Words = readonly number[];

export interface DemoInvoice extends MadeInvoice {
  readonly preimage: string;
}

/** A key on the curve secp256k1. */
export interface DemoKey {
  readonly privateKey: KeyObject;
  /** In compressed form. */
  readonly publicKey: Uint8Array;
}

/** Returns a new key for signing invoices. */
export function makeDemoKey(): DemoKey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
  const { x, y } = publicKey.export({ format: 'jwk' });
  const [left, right] = [x!, y!].map((part) => Buffer.from(part, 'base64url'));
  // The first byte is the parity of y. Source: SEC 1.
  return { privateKey, publicKey: Buffer.concat([Buffer.of(2 + (right!.at(-1)! & 1)), left!]) };
}

/** Creates an invoice for regtest and signs it. @param now seconds since the Unix epoch */
export function makeDemoInvoice(wanted: WantedInvoice, key: DemoKey, now: number): DemoInvoice {
  const preimage = randomBytes(32);
  const paymentHash = createHash('sha256').update(preimage).digest();
  const prefix = `lnbcrt${wanted.amountMsat / MSAT_PER_NANO}n`;
  const words = [
    ...wordsOfNumber(now, 7),
    ...field(FIELDS.paymentHash, wordsOfBytes(paymentHash)),
    ...field(FIELDS.secret, wordsOfBytes(randomBytes(32))),
    ...field(FIELDS.description, wordsOfBytes(Buffer.from(wanted.description))),
    ...field(FIELDS.payee, wordsOfBytes(key.publicKey)),
    ...field(FIELDS.expiry, wordsOfNumber(wanted.expirySeconds)),
    ...field(FIELDS.features, wordsOfNumber(FEATURES)),
  ];
  const signed = [...words, ...wordsOfBytes(signWords(prefix, words, key.privateKey))];
  const letters = [...signed, ...checksum(prefix, signed)].map((word) => LETTERS[word]!).join('');
  return {
    bolt11: `${prefix}1${letters}`,
    paymentHash: paymentHash.toString('hex'),
    preimage: preimage.toString('hex'),
  };
}

/** Returns a tagged field. The length of its content takes two words. */
function field(type: number, words: Words): Words {
  return [type, ...wordsOfNumber(words.length, 2), ...words];
}

function wordsOfBytes(bytes: Uint8Array): Words {
  return regroup(bytes, 8, 5);
}

/** Returns a number as words, the highest word first. @param length minimum number of words */
function wordsOfNumber(value: number, length = 1): Words {
  const digits = value.toString(32).padStart(length, '0');
  return [...digits].map((digit) => Number.parseInt(digit, 32));
}

/** Regroups bits, and fills the last group with zeros. */
function regroup(groups: Iterable<number>, from: number, to: number): number[] {
  const bits = Array.from(groups, (group) => group.toString(2).padStart(from, '0')).join('');
  const count = Math.ceil(bits.length / to);
  return Array.from({ length: count }, (_, n) => Number.parseInt(bits.slice(n * to, (n + 1) * to).padEnd(to, '0'), 2));
}

/**
 * Returns the signature, 65 bytes. The last byte is for computing the public key. Its value does not matter, because
 * the invoice contains the public key.
 */
function signWords(prefix: string, words: Words, key: KeyObject): Uint8Array {
  const message = Buffer.concat([Buffer.from(prefix), Uint8Array.from(regroup(words, 5, 8))]);
  const signature = sign('sha256', message, { key, dsaEncoding: 'ieee-p1363' });
  const s = BigInt(`0x${signature.toString('hex', 32)}`);
  // Lightning accepts only the lower of the two equivalent signatures.
  const low = s > ORDER / 2n ? ORDER - s : s;
  return Buffer.concat([
    signature.subarray(0, 32),
    Buffer.from(low.toString(16).padStart(64, '0'), 'hex'),
    Buffer.of(0),
  ]);
}

/** Returns the checksum of bech32, six words. Source: BIP 173. */
function checksum(prefix: string, words: Words): Words {
  const codes = Array.from(prefix, (letter) => letter.charCodeAt(0));
  const all = [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31), ...words, 0, 0, 0, 0, 0, 0];
  let sum = 1;
  for (const word of all) {
    const top = sum >>> 25;
    sum = ((sum & 0x1ff_ffff) << 5) ^ word;
    for (const [bit, generator] of GENERATOR.entries()) if ((top >>> bit) & 1) sum ^= generator;
  }
  return Array.from({ length: 6 }, (_, n) => ((sum ^ 1) >>> (5 * (5 - n))) & 31);
}
