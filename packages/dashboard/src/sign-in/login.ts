import type { Account } from '@zoetrope/contract/account';
import { ask, rememberCsrf } from '../api.ts';
import { say } from '../words/owners.ts';

/** Event kind of HTTP authentication (NIP-98). */
export const LOGIN_KIND = 27_235;

export interface Template {
  kind: number;
  content: string;
  /** Seconds since the Unix epoch. */
  created_at: number;
  tags: string[][];
}

export interface SignedEvent extends Template {
  id: string;
  pubkey: string;
  sig: string;
}

/** Signs a template, or throws an error with the reason. */
export type Sign = (template: Template) => Promise<SignedEvent>;

/** An error whose message is meant for the user. */
export class SignInError extends Error {}

/** Signs in with any signer. @throws SignInError, ApiError */
export async function signIn(sign: Sign, signal: AbortSignal): Promise<Account> {
  const { challenge, u, method } = await ask('challenge');
  const body = { challenge };
  const template: Template = {
    kind: LOGIN_KIND,
    content: '',
    created_at: Math.floor(Date.now() / 1000),
    tags: [
      ['u', u],
      ['method', method],
      ['payload', await sha256(JSON.stringify(body))],
    ],
  };
  const event = await sign(structuredClone(template));
  signal.throwIfAborted();
  if (!isOf(event, template)) {
    throw new SignInError(say('signedOther'));
  }
  const { id, pubkey, created_at, kind, tags, content, sig } = event;
  const encoded = btoa(JSON.stringify({ id, pubkey, created_at, kind, tags, content, sig }));
  const account = await ask('login', { body, headers: { authorization: `Nostr ${encoded}` } });
  rememberCsrf(account.csrf);
  return account;
}

/**
 * Returns whether an event has the template's content. The event's time can differ, because signers use their own
 * clocks.
 */
function isOf(event: SignedEvent, { kind, content, tags }: Template): boolean {
  const said = JSON.stringify([event.kind, event.content, event.tags]);
  return said === JSON.stringify([kind, content, tags]);
}

async function sha256(text: string): Promise<string> {
  if (!globalThis.isSecureContext) throw new SignInError(say('needsHttps'));
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
