import { say } from '../words/owners.ts';
import { type Sign, SignInError } from './login.ts';

declare global {
  interface Window {
    /** Provided by a signing extension (NIP-07). */
    nostr?: { signEvent: Sign };
  }
}

export function hasExtension(): boolean {
  return typeof window.nostr?.signEvent === 'function';
}

/** Signs with the browser's signing extension. @throws SignInError if there is none, or if it does not sign */
export const signByExtension: Sign = async (template) => {
  if (!hasExtension()) throw new SignInError(say('noExtension'));
  try {
    return await window.nostr!.signEvent(template);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SignInError(say('extensionRefused', { reason: reason || say('noReason') }));
  }
};
