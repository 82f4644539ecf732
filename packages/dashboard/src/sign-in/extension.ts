import { type Sign, SignInError } from './login.ts';

declare global {
  interface Window {
    /** Of a browser extension that signs (NIP-07). */
    nostr?: { signEvent: Sign };
  }
}

export function hasExtension(): boolean {
  return typeof window.nostr?.signEvent === 'function';
}

/** Has the browser's extension sign. @throws SignInError with the extension's own words */
export const signByExtension: Sign = async (template) => {
  if (!hasExtension()) throw new SignInError('This browser has no extension that signs.');
  try {
    return await window.nostr!.signEvent(template);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SignInError(`Your extension did not sign: ${reason || 'no reason given'}.`);
  }
};
