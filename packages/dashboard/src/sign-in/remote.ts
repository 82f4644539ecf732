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
import { say } from '../words/owners.ts';
import { LOGIN_KIND, SignInError, signIn } from './login.ts';

export { qrCode } from '../parts/qr-code.ts';

/** Maximum time for each response from a signer, in milliseconds. */
const ANSWER_MS = 60_000;
/** Maximum time for the user to open a signer and scan the code, in milliseconds. */
const SCAN_MS = 180_000;
/** Maximum time for a signer to confirm the logout, in milliseconds. */
const GOODBYE_MS = 2_000;

/** The step that a signer did not perform. */
type Failure = 'signerNotConnected' | 'signerNotSigned';

export interface Remote {
  signal: AbortSignal;
  /** Called with an https URL of a page that the signer wants the user to visit to authorise the request. */
  onAuthorise: (address: string) => void;
  /** Called when the signer has connected and is asked to sign. */
  onConnected: () => void;
}

/** Signs in with a remote signer that the user named (`bunker://`). @throws SignInError, ApiError */
export async function signInByBunker(input: string, remote: Remote): Promise<Account> {
  const bunker = BUNKER_REGEX.test(input) ? await parseBunkerInput(input) : null;
  const relays = (bunker?.relays ?? []).filter(isSecure);
  if (bunker === null || relays.length === 0) throw new SignInError(say('notBunker'));
  const pool = new SimplePool();
  try {
    const signer = open({ ...bunker, relays }, paramsOf(pool, remote));
    await answered(signer.connect(describeUs()), remote.signal, 'signerNotConnected');
    return await signInWith(signer, remote);
  } finally {
    pool.destroy();
  }
}

/** @throws SignInError when the pubkey has 64 digits but is not a valid key */
function open(bunker: BunkerPointer, params: ReturnType<typeof paramsOf>): BunkerSigner {
  try {
    return BunkerSigner.fromBunker(generateSecretKey(), bunker, params);
  } catch {
    throw new SignInError(say('notBunker'));
  }
}

export interface Offer {
  /** A URI for a signer to scan or open (`nostrconnect://`). */
  uri: string;
  /** Resolves when a signer has accepted the offer and signed. @throws SignInError, ApiError */
  account: Promise<Account>;
}

/** Offers a connection for a signer to accept. @param relays the relays over which page and signer communicate */
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
      throw new SignInError(stop.signal.aborted ? say('notScanned') : say('signerRelaysAway'));
    });
    clearTimeout(timer);
    return await signInWith(signer, remote);
  } finally {
    clearTimeout(timer);
    pool.destroy();
  }
}

/** Asks for one signature and disconnects, because after that the session cookie is enough. */
async function signInWith(signer: BunkerSigner, { signal, onConnected }: Remote): Promise<Account> {
  onConnected();
  const account = await signIn((template) => answered(signer.signEvent(template), signal, 'signerNotSigned'), signal);
  await Promise.race([signer.logout().catch(() => {}), later(GOODBYE_MS)]);
  return account;
}

/** Waits for a signer. A signer may never respond, and it rejects with plain strings. */
async function answered<Value>(answer: Promise<Value>, signal: AbortSignal, failure: Failure): Promise<Value> {
  signal.throwIfAborted();
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new SignInError(say('signerSilent', { n: ANSWER_MS / 1000 }))), ANSWER_MS);
  const cancel = () => reject(signal.reason);
  signal.addEventListener('abort', cancel);
  try {
    return await Promise.race([answer, late]);
  } catch (error) {
    if (signal.aborted || error instanceof SignInError) throw error;
    throw new SignInError(say(failure, { reason: reasonOf(error) }));
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return say('relaysAway');
  const message = error instanceof Error ? error.message : String(error);
  return message.slice(0, 200) || say('noReason');
}

function paramsOf(pool: SimplePool, { onAuthorise }: Remote) {
  return {
    pool,
    onauth: (address: string) => {
      if (URL.parse(address)?.protocol === 'https:') onAuthorise(address);
    },
  };
}

/** Returns the name and URL with which this page introduces itself to the signer. */
function describeUs(): { name: string; url: string } {
  return { name: document.title, url: location.origin };
}

/** Returns whether a relay's URL is secure. The page's content security policy allows no other sockets. */
function isSecure(relay: string): boolean {
  return URL.parse(relay)?.protocol === 'wss:';
}

function later(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
