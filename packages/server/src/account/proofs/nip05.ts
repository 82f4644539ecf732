import { lookup } from 'node:dns';
import type { IncomingMessage } from 'node:http';
import https from 'node:https';
import { BlockedAddress, guardedLookup, isPublicAddress, type Resolve } from '../../platform/fetch/index.ts';

/** A full domain name whose last label starts with a letter. IP addresses, ports and user names do not match. */
const DOMAIN = /^(?=.{4,253}$)(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]{0,61}[a-z\d]$/;
const NAME = /^[a-z\d._-]{1,64}$/;

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 64 * 1024;
const MAX_HEADER_BYTES = 16 * 1024;

/** Tests set these options to replace the internet. */
export interface ProofOptions {
  resolve?: Resolve;
  allows?: (address: string) => boolean;
  ca?: string;
  port?: number;
  timeoutMs?: number;
}

/** Reason why a domain could not be verified. */
export type ProofFailure = keyof typeof REASONS;

const REASONS = {
  bad_domain: 'it is not a domain name',
  no_such_host: 'the host does not exist',
  blocked_address: 'its address is not on the public internet',
  unreachable: 'its server cannot be reached, or it closed the connection',
  timed_out: `its server did not respond within ${TIMEOUT_MS / 1_000} s`,
  bad_certificate: 'its certificate is not valid',
  redirect: 'its server redirects, which NIP-05 does not allow',
  bad_status: 'its server did not return status 200',
  too_large: `its response is larger than ${MAX_BYTES / 1_024} KiB`,
  bad_json: 'its response is not JSON',
  no_name: 'its response has no hexadecimal public key for this name',
} as const;

/** The error if a domain could not be verified. Users see the message. */
export class ProofError extends Error {
  override readonly name = 'ProofError';
  readonly failure: ProofFailure;

  constructor(failure: ProofFailure, url: string, options?: { cause?: unknown }) {
    super(`${url}: ${REASONS[failure]}`, options);
    this.failure = failure;
  }
}

/**
 * Returns the public key that a domain lists for a name (NIP-05). Because strangers choose the domain, only port 443 of
 * public addresses is queried, without redirects, and with limits for time and size. Rejects with ProofError.
 */
export async function askDomain(domain: string, name: string, options: ProofOptions = {}): Promise<string> {
  const url = `https://${domain.slice(0, 253)}/.well-known/nostr.json?name=${encodeURIComponent(name.toWellFormed())}`;
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

/** An error with a code, like the errors of sockets. */
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
    // Without connection pooling, the connection uses the address that was checked.
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
