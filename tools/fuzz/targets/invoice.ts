import { ODD_TEXTS } from '../change-text.ts';
import { changeOften, few, pick, type Random, upTo } from '../draw.ts';

/* Lightning invoices (BOLT 11). Readers check the checksum first, so a damaged invoice needs a correct checksum. */

const CHARACTERS = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
const CHECKSUM_WORDS = 6;
const SIGNATURE_WORDS = 104;
const PREFIX = 'lnbcrt10u';
/** Seconds since the Unix epoch. */
const MADE = 1_790_000_000;

/** A field of an invoice. A word has 5 bits. */
interface Field {
  readonly code: number;
  readonly words: readonly number[];
  /** Added to the declared number of words. */
  readonly excess: number;
}

interface Invoice {
  readonly prefix: string;
  readonly time: readonly number[];
  readonly fields: readonly Field[];
}

/** Returns a correct invoice for 1,000 sats. Its signature is not checked. */
export function invoiceFor(paymentHash: string): string {
  return write(correct(paymentHash));
}

/** Draws a damaged invoice with a correct checksum. */
export function drawInvoice(random: Random, paymentHash: string): string {
  return write(changeOften(random, correct(paymentHash), changeInvoice));
}

function correct(paymentHash: string): Invoice {
  const field = (code: number, words: readonly number[]): Field => ({ code, words, excess: 0 });
  const hash = wordsOf(Buffer.from(paymentHash, 'hex'));
  const fields = [
    field(1, hash),
    field(16, hash),
    field(13, wordsOf(Buffer.from('Client'))),
    field(6, [28, 4]),
    field(24, [18]),
  ];
  return { prefix: PREFIX, time: numberWords(MADE, 7), fields };
}

type Change = (random: Random, invoice: Invoice, at: number) => Invoice;

const withField = (invoice: Invoice, at: number, change: Partial<Field>): Invoice => ({
  ...invoice,
  fields: invoice.fields.with(at, { ...invoice.fields[at]!, ...change }),
});

const CHANGES: readonly Change[] = [
  (_, invoice, at) => ({ ...invoice, fields: invoice.fields.toSpliced(at, 1) }),
  (random, invoice, at) => {
    const copies = Array<Field>(few(random, 1_000)).fill(invoice.fields[at]!);
    return { ...invoice, fields: invoice.fields.toSpliced(upTo(random, invoice.fields.length), 0, ...copies) };
  },
  (random, invoice, at) => withField(invoice, at, { code: upTo(random, 31) }),
  (random, invoice, at) => withField(invoice, at, { excess: pick(random, [-1, 1, 32, 1_000]) }),
  (random, invoice, at) =>
    withField(invoice, at, { words: Array.from({ length: few(random, 1_023) }, () => upTo(random, 31)) }),
  (random, invoice, at) => withField(invoice, at, { words: Array<number>(few(random, 1_023)).fill(upTo(random, 31)) }),
  (random, invoice) => ({ ...invoice, time: Array.from({ length: upTo(random, 8) }, () => upTo(random, 31)) }),
  (random, invoice) => ({
    ...invoice,
    prefix: pick(random, [
      'lnbc10u',
      'lnbcrt',
      'lnbcrt1',
      'lnbcrt10m',
      'lnbcrt10000000000000p',
      'lnbcrt10u1',
      'lnbcrt010u',
      'ln',
    ]),
  }),
  (random, invoice) => ({ ...invoice, prefix: `${PREFIX}${pick(random, ODD_TEXTS)}` }),
];

function changeInvoice(random: Random, invoice: Invoice): Invoice {
  if (invoice.fields.length === 0) return invoice;
  return pick(random, CHANGES)(random, invoice, upTo(random, invoice.fields.length - 1));
}

function write({ prefix, time, fields }: Invoice): string {
  const written = fields.flatMap(({ code, words, excess }) => [
    code,
    ...numberWords(words.length + excess, 2),
    ...words,
  ]);
  const words = [...time, ...written, ...Array<number>(SIGNATURE_WORDS).fill(1)];
  const all = [...words, ...checksumOf(prefix, words)];
  return `${prefix}1${all.map((word) => CHARACTERS[word]).join('')}`;
}

/** Returns the checksum of bech32 (BIP 173). */
function checksumOf(prefix: string, words: readonly number[]): number[] {
  const codes = Array.from(prefix, (character) => character.charCodeAt(0));
  const padding = Array<number>(CHECKSUM_WORDS).fill(0);
  let sum = 1;
  for (const word of [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31), ...words, ...padding]) {
    const top = sum >>> 25;
    sum = ((sum & 0x1ffffff) << 5) ^ word;
    for (const [n, part] of GENERATOR.entries()) if ((top >> n) & 1) sum ^= part;
  }
  return numberWords((sum ^ 1) >>> 0, CHECKSUM_WORDS);
}

/** Returns a number in words, highest first. */
function numberWords(value: number, length: number): number[] {
  return Array.from({ length }, (_, n) => Math.floor(value / 32 ** (length - 1 - n)) & 31);
}

/** Splits bytes into words. The last word is filled with zeros. */
function wordsOf(bytes: Uint8Array): number[] {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  return Array.from({ length: Math.ceil(bits.length / 5) }, (_, n) =>
    Number.parseInt(bits.slice(5 * n, 5 * n + 5).padEnd(5, '0'), 2),
  );
}
