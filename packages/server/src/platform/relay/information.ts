const TIMEOUT_MS = 10_000;
const MAX_BYTES = 64 * 1024;

/** Returns whether a relay announces set comparison (NIP-77) in its information document (NIP-11). */
export async function comparesSets(url: string): Promise<boolean> {
  try {
    const response = await fetch(url.replace(/^ws/, 'http'), {
      headers: { accept: 'application/nostr+json' },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const { supported_nips: nips } = JSON.parse(await readText(response)) as { supported_nips?: unknown };
    return Array.isArray(nips) && nips.includes(77);
  } catch {
    return false; // the relay is then read page by page
  }
}

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_BYTES) throw new Error('too long');
  }
  return text;
}
