/** Returns a public key as an npub. @param pubkey in hexadecimal */
export async function toNpub(pubkey: string): Promise<string> {
  const { npubEncode } = await import('nostr-tools/nip19');
  return npubEncode(pubkey);
}

/**
 * Returns the public key in hexadecimal. `text` is an npub or a hexadecimal public key. Returns null for any other
 * text.
 */
export async function readPubkey(text: string): Promise<string | null> {
  const trimmed = text.trim().toLowerCase();
  if (/^[\da-f]{64}$/.test(trimmed)) return trimmed;
  const { decode } = await import('nostr-tools/nip19');
  try {
    const { type, data } = decode(trimmed);
    return type === 'npub' ? data : null;
  } catch {
    return null;
  }
}
