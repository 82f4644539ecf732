const TIMEOUT_MS = 8_000;
const MAX_BYTES = 65_536;

interface Ask {
  readonly method?: 'GET' | 'POST';
  readonly headers: Record<string, string>;
  readonly body?: URLSearchParams | string;
}

/**
 * Calls a wallet's server.
 * @returns undefined for 404. For any other failure, the call rejects with an error that contains no secrets.
 */
export async function askWallet(base: string, path: string, ask: Ask): Promise<Record<string, unknown> | undefined> {
  const answer = await fetch(base.replace(/\/+$/, '') + path, {
    ...ask,
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const text = await readBounded(answer);
  if (answer.status === 404) return undefined;
  if (!answer.ok) throw new Error(`the wallet returned ${answer.status}`);
  const body: unknown = JSON.parse(text);
  if (typeof body !== 'object' || body === null) throw new Error('the wallet did not return a JSON object');
  return body as Record<string, unknown>;
}

/** Reads a body up to the limit, even if the server sends more. */
async function readBounded({ body }: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  // If the loop ends early, the connection is closed.
  for await (const piece of body ?? []) {
    bytes += piece.length;
    if (bytes > MAX_BYTES) throw new Error('the wallet returned more than 64 kB');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}
