/** A public key in the form that people see. @param pubkey in hexadecimal */
export async function toNpub(pubkey: string): Promise<string> {
  const { npubEncode } = await import('nostr-tools/nip19');
  return npubEncode(pubkey);
}

/** The hexadecimal public key of an npub or a hexadecimal text; null for anything else. */
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
