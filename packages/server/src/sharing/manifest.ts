import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { npubEncode } from 'nostr-tools/nip19';
import { finalizeEvent, type VerifiedEvent, verifyEvent } from 'nostr-tools/pure';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { OperatorError } from '../base/errors.ts';
import { counted } from '../base/plain-text.ts';
import { once } from '../base/remember.ts';

/*
 * The format of a published catalogue. The manifest is a Nostr event, whose content lists the parts. The GIFs are spread
 * over the parts by the hash of their ids, so a change of one GIF changes one part.
 */

const unpack = promisify(gunzip);

/** Name of the manifest below `/catalogue/`. */
export const MANIFEST = 'manifest.json';
/** The kind of events with an app's data, and the name of our events. Source: NIP-78. */
const KIND = 30_078;
const NAME = 'zoetrope-catalogue';

/** Number of bits of a place. A catalogue has at most one part for each place. */
export const PLACE_BITS = 16;

/** Limits of the data that a follower reads. */
export const CATALOGUE_LIMITS = {
  manifestBytes: 16_000_000,
  partBytes: 8_000_000,
  /** Size of a part when it is unpacked. */
  unpackedBytes: 64_000_000,
  gifsInPart: 5_000,
  /** Length of a line, in characters. Lines of the manifests that operators write have the same fields. */
  line: 200_000,
} as const;

const Part = Type.Object({
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  bytes: Type.Integer({ minimum: 1, maximum: CATALOGUE_LIMITS.partBytes }),
  gifs: Type.Integer({ minimum: 1, maximum: CATALOGUE_LIMITS.gifsInPart }),
});
/** A file of a catalogue. The hash and the size are those of the compressed file. */
export type Part = Static<typeof Part>;

const Manifest = Type.Object({
  format: Type.Literal(1),
  /** Name and URL of the service that publishes the catalogue. */
  name: Type.String({ maxLength: 100 }),
  url: Type.String({ maxLength: 500 }),
  /** A number that increases with every change, so that nobody can pass an old catalogue off as the current one. */
  generation: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  gifs: Type.Integer({ minimum: 0 }),
  /** There are 2^bits parts, in order. The first bits of a GIF's place are the number of its part. */
  bits: Type.Integer({ minimum: 0, maximum: PLACE_BITS }),
  /** Null for a part without GIFs. */
  parts: Type.Array(Type.Union([Part, Type.Null()])),
});
export type Manifest = Static<typeof Manifest>;

const SignedEvent = Type.Object({
  id: Type.String(),
  pubkey: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  created_at: Type.Integer(),
  kind: Type.Integer(),
  tags: Type.Array(Type.Array(Type.String())),
  content: Type.String(),
  sig: Type.String(),
});

/** Compiled on first use, because few processes read manifests. */
const checks = once(() => ({ event: Compile(SignedEvent), manifest: Compile(Manifest) }));

/** A manifest whose signature is valid. */
export interface SignedManifest {
  /** Public key of the publisher, in hexadecimal. */
  pubkey: string;
  /** Id of the event, which is the hash of everything in the manifest. */
  id: string;
  manifest: Manifest;
}

/** Returns the place of a GIF, from 0 to 2^16 - 1. */
export function placeOf(id: string): number {
  return createHash('sha256').update(id).digest().readUInt16BE(0);
}

/** Returns the number of the part for a place. */
export function partAt(place: number, bits: number): number {
  return place >> (PLACE_BITS - bits);
}

/** Returns the name of the file of a part. */
export function fileOf(sha256: string): string {
  return `${sha256}.jsonl.gz`;
}

/** Returns the SHA-256 hash of a file, in hexadecimal. */
export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Returns the lines of the file of a part. @throws OperatorError if it is not a part */
export async function unpackLines(bytes: Uint8Array): Promise<string[]> {
  const maxOutputLength = CATALOGUE_LIMITS.unpackedBytes;
  const text = await unpack(bytes, { maxOutputLength }).catch((cause) => {
    throw new OperatorError(`the part is not gzip, or has more than ${maxOutputLength} bytes unpacked`, { cause });
  });
  return text.toString().replace(/\n$/, '').split('\n');
}

/** Returns a manifest as a signed event. */
export function signManifest(manifest: Manifest, key: Uint8Array): VerifiedEvent {
  const draft = {
    kind: KIND,
    created_at: manifest.generation,
    tags: [
      ['d', NAME],
      ['r', manifest.url],
    ],
    content: JSON.stringify(manifest),
  };
  return finalizeEvent(draft, key);
}

/** The file is not a manifest at all: many servers answer every path with a page. */
export class NoManifest extends OperatorError {}

/** Reads a manifest and checks its signature. @throws OperatorError that says what is wrong */
export function readManifest(bytes: Uint8Array): SignedManifest {
  const event = parse(Buffer.from(bytes).toString(), NoManifest);
  if (!checks().event.Check(event)) throw new NoManifest('the manifest is not a signed Nostr event');
  const isOurs = event.kind === KIND && event.tags.some(([name, value]) => name === 'd' && value === NAME);
  if (!isOurs) throw new NoManifest('the manifest is an event, but not one of a catalogue');
  if (!verifyEvent(event)) throw new OperatorError('the signature of the manifest is wrong');
  const manifest = parse(event.content, OperatorError);
  if (!checks().manifest.Check(manifest)) {
    const [error] = checks().manifest.Errors(manifest);
    const field = error?.instancePath.replace(/^\//, '').replaceAll('/', '.') || 'content';
    throw new OperatorError(`the manifest has a wrong field: ${field}: ${error?.message ?? 'does not fit'}`);
  }
  const { parts, bits, gifs } = manifest;
  if (parts.length !== 2 ** bits)
    throw new OperatorError(`the manifest has ${parts.length} parts instead of 2^${bits}`);
  const listed = parts.reduce((sum, part) => sum + (part?.gifs ?? 0), 0);
  if (listed !== gifs)
    throw new OperatorError(`the parts of the manifest have ${counted(listed, 'GIF')} instead of ${gifs}`);
  return { pubkey: event.pubkey, id: event.id, manifest };
}

/** Returns a public key in the form that people use (npub). */
export function shownKey(pubkey: string): string {
  return npubEncode(pubkey);
}

function parse(text: string, Mistake: typeof OperatorError): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Mistake('the manifest is not JSON', { cause });
  }
}
