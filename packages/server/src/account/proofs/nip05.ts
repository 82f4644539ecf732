import { lookup } from 'node:dns';
import type { IncomingMessage } from 'node:http';
import https from 'node:https';
import { BlockedAddress, guardedLookup, isPublicAddress, type Resolve } from '../../platform/fetch/index.ts';

/** A domain name in full, the last label beginning with a letter: no address of a machine, no port, nothing before @. */
const DOMAIN = /^(?=.{4,253}$)(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]{0,61}[a-z\d]$/;
const NAME = /^[a-z\d._-]{1,64}$/;

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 64 * 1024;
const MAX_HEADER_BYTES = 16 * 1024;

/** What a test puts in the place of the internet. */
export interface ProofOptions {
  resolve?: Resolve;
  allows?: (address: string) => boolean;
  ca?: string;
  port?: number;
  timeoutMs?: number;
}

/** Why a domain proves nothing. */
export type ProofFailure = keyof typeof REASONS;

const REASONS = {
  bad_domain: 'it is not the name of a domain',
  no_such_host: 'no server has this name',
  blocked_address: 'its name leads to an address that is not on the public internet',
  unreachable: 'its server cannot be reached or broke off',
  timed_out: `its server did not answer within ${TIMEOUT_MS / 1_000} s`,
  bad_certificate: 'its certificate is not valid',
  redirect: 'its server redirects, which NIP-05 does not allow',
  bad_status: 'its server does not answer with status 200',
  too_large: `its answer is longer than ${MAX_BYTES / 1_024} KiB`,
  bad_json: 'its answer is not JSON',
  no_name: 'its answer has no public key in hexadecimal under this name',
} as const;

/** A domain that proves nothing; the message says why, for the person who asked. */
export class ProofError extends Error {
  override readonly name = 'ProofError';
  readonly failure: ProofFailure;

  constructor(failure: ProofFailure, url: string, options?: { cause?: unknown }) {
    super(`${url}: ${REASONS[failure]}`, options);
    this.failure = failure;
  }
}

/**
 * The public key that a domain gives to a name of its (NIP-05). Strangers say which domain: its server is asked by https at
 * port 443 only, at public addresses only, without redirects, and for no more time and bytes than such an answer needs.
 * Rejects with ProofError.
 */
export async function askDomain(domain: string, name: string, options: ProofOptions = {}): Promise<string> {
  const url = `https://${domain.slice(0, 253)}/.well-known/nostr.json?name=${encodeURIComponent(name)}`;
  if (!DOMAIN.test(domain) || !NAME.test(name)) throw new ProofError('bad_domain', url);
  const deadline = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS);
  let text: string;
  try {
    text = await get(url, options, deadline);
  } catch (cause) {
    throw new ProofError(deadline.aborted ? 'timed_out' : failureOf(cause), url, { cause });
  }
  const pubkey = readName(text, name);
  if (typeof pubkey === 'string') return pubkey;
  throw new ProofError(pubkey.failure, url);
}

/** A failure on its way out of a socket, where errors are told apart by their code. */
class Refusal extends Error {
  readonly failure: ProofFailure;

  constructor(failure: ProofFailure) {
    super(failure);
    this.failure = failure;
  }
}

async function get(url: string, options: ProofOptions, signal: AbortSignal): Promise<string> {
  const allows = options.allows ?? isPublicAddress;
  const request = https.get(url, {
    port: options.port ?? 443,
    ...(options.ca !== undefined && { ca: options.ca }),
    lookup: guardedLookup(options.resolve ?? lookup, allows),
    // A socket of its own: the address that was looked at is the one that is spoken to.
    agent: false,
    signal,
    maxHeaderSize: MAX_HEADER_BYTES,
    headers: { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'zoetrope' },
  });
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request.on('response', resolve).on('error', reject);
    });
    const { statusCode = 0 } = response;
    if (!allows(response.socket.remoteAddress ?? '')) throw new BlockedAddress();
    if (statusCode >= 300 && statusCode < 400) throw new Refusal('redirect');
    if (statusCode !== 200) throw new Refusal('bad_status');
    return await read(response);
  } finally {
    request.on('error', () => {}).destroy();
  }
}

async function read(response: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new Refusal('too_large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function failureOf(error: unknown): ProofFailure {
  if (error instanceof Refusal) return error.failure;
  if (error instanceof BlockedAddress) return 'blocked_address';
  const { code = '' } = error as NodeJS.ErrnoException;
  if (code === 'ENOTFOUND') return 'no_such_host';
  return /CERT|ALTNAME|SELF_SIGNED|VERIFY|LEAF/.test(code) ? 'bad_certificate' : 'unreachable';
}

function readName(text: string, name: string): string | { failure: ProofFailure } {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    return { failure: 'bad_json' };
  }
  const names = (answer as { names?: unknown } | null)?.names;
  const isMap = typeof names === 'object' && names !== null && Object.hasOwn(names, name);
  const pubkey = isMap ? (names as Record<string, unknown>)[name] : undefined;
  return typeof pubkey === 'string' && /^[\da-f]{64}$/.test(pubkey) ? pubkey : { failure: 'no_name' };
}
