import type { Account } from '@zoetrope/contract/account';
import {
  BUNKER_REGEX,
  type BunkerPointer,
  BunkerSigner,
  createNostrConnectURI,
  parseBunkerInput,
} from 'nostr-tools/nip46';
import { SimplePool } from 'nostr-tools/pool';
import { generateSecretKey, getPublicKey } from 'nostr-tools/pure';
import { LOGIN_KIND, SignInError, signIn } from './login.ts';

export { qrCode } from '../parts/qr-code.ts';

/** How long a signer has for each of its answers. */
const ANSWER_MS = 60_000;
/** And a person to open a signer and scan a code. */
const SCAN_MS = 180_000;
/** A signer that says nothing to a goodbye is left without one. */
const GOODBYE_MS = 2_000;

const NO_ADDRESS = 'That is no bunker address: it starts with bunker://, names a key, and a relay by wss://.';

export interface Remote {
  signal: AbortSignal;
  /** Where the signer wants to be told that it may sign; only ever https. */
  onAuthorise: (address: string) => void;
  /** When the signer is there and is asked to sign. */
  onConnected: () => void;
}

/** Signs in by a signer elsewhere, which its owner named (`bunker://`). @throws SignInError, ApiError */
export async function signInByBunker(input: string, remote: Remote): Promise<Account> {
  const bunker = BUNKER_REGEX.test(input) ? await parseBunkerInput(input) : null;
  const relays = (bunker?.relays ?? []).filter(isSecure);
  if (bunker === null || relays.length === 0) throw new SignInError(NO_ADDRESS);
  const pool = new SimplePool();
  try {
    const signer = open({ ...bunker, relays }, paramsOf(pool, remote));
    await answered(signer.connect(describeUs()), remote.signal, 'connect');
    return await signInWith(signer, remote);
  } finally {
    pool.destroy();
  }
}

/** @throws SignInError when the pubkey is 64 digits but no key */
function open(bunker: BunkerPointer, params: ReturnType<typeof paramsOf>): BunkerSigner {
  try {
    return BunkerSigner.fromBunker(generateSecretKey(), bunker, params);
  } catch {
    throw new SignInError(NO_ADDRESS);
  }
}

export interface Offer {
  /** To be scanned, or opened, by a signer (`nostrconnect://`). */
  uri: string;
  /** Settles when a signer took the offer and signed. @throws SignInError, ApiError */
  account: Promise<Account>;
}

/** Offers a connection that a signer takes. @param relays where both meet */
export function offerConnection(relays: string[], remote: Remote): Offer {
  const secretKey = generateSecretKey();
  const secret = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0'));
  const clientPubkey = getPublicKey(secretKey);
  const perms = [`sign_event:${LOGIN_KIND}`];
  const uri = createNostrConnectURI({ clientPubkey, relays, secret: secret.join(''), perms, ...describeUs() });
  return { uri, account: takeSigner(secretKey, uri, remote) };
}

async function takeSigner(secretKey: Uint8Array, uri: string, remote: Remote): Promise<Account> {
  const pool = new SimplePool();
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), SCAN_MS);
  const until = AbortSignal.any([stop.signal, remote.signal]);
  try {
    const signer = await BunkerSigner.fromURI(secretKey, uri, paramsOf(pool, remote), until).catch(() => {
      remote.signal.throwIfAborted();
      throw new SignInError(
        stop.signal.aborted
          ? 'No signer took the code in time. Try again with a new one.'
          : 'The relays that we meet your signer at cannot be reached. Try again, or use another way.',
      );
    });
    clearTimeout(timer);
    return await signInWith(signer, remote);
  } finally {
    clearTimeout(timer);
    pool.destroy();
  }
}

/** One signature, and goodbye: from here on the session's cookie carries on. */
async function signInWith(signer: BunkerSigner, { signal, onConnected }: Remote): Promise<Account> {
  onConnected();
  const account = await signIn((template) => answered(signer.signEvent(template), signal, 'sign'), signal);
  await Promise.race([signer.logout().catch(() => {}), later(GOODBYE_MS)]);
  return account;
}

/** The answer of a signer, which may never come and whose refusals are bare strings. */
async function answered<Value>(answer: Promise<Value>, signal: AbortSignal, asked: string): Promise<Value> {
  signal.throwIfAborted();
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new SignInError(`Your signer did not answer within ${ANSWER_MS / 1000} s. Is it running?`)),
    ANSWER_MS,
  );
  const cancel = () => reject(signal.reason);
  signal.addEventListener('abort', cancel);
  try {
    return await Promise.race([answer, late]);
  } catch (error) {
    if (signal.aborted || error instanceof SignInError) throw error;
    throw new SignInError(`Your signer did not ${asked}: ${reasonOf(error)}. Ask it for a new address and try again.`);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return 'its relays cannot be reached';
  const message = error instanceof Error ? error.message : String(error);
  return message.slice(0, 200) || 'no reason given';
}

function paramsOf(pool: SimplePool, { onAuthorise }: Remote) {
  return {
    pool,
    onauth: (address: string) => {
      if (URL.parse(address)?.protocol === 'https:') onAuthorise(address);
    },
  };
}

/** What the page says it is, for the signer to show. */
function describeUs(): { name: string; url: string } {
  return { name: document.title, url: location.origin };
}

/** Pages may open no other sockets. */
function isSecure(relay: string): boolean {
  return URL.parse(relay)?.protocol === 'wss:';
}

function later(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
