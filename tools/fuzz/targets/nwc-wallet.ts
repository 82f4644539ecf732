import { finalizeEvent, generateSecretKey, getPublicKey, nip44, SimplePool } from 'nostr-tools';
import { startRelay } from '../../../packages/server/src/payments/testing/relay.ts';

/** Maximum length of a text that NIP-44 can encrypt, in bytes. */
const MAX_SEALED = 65_535;
const REQUEST = 23_194;
const ANSWER = 23_195;

/** A request to a wallet (NIP-47). */
export interface WalletRequest {
  readonly method: string;
  readonly params: { readonly description?: string; readonly payment_hash?: string };
}

/** Starts a wallet that sends any response. `isSealed` tells whether the text is encrypted. @returns its NWC URL */
export async function startNwcWallet(
  answer: (request: WalletRequest) => { text: string; isSealed: boolean },
): Promise<string> {
  const relay = await startRelay();
  const [secret, appSecret] = [generateSecretKey(), generateSecretKey()];
  const [wallet, app] = [getPublicKey(secret), getPublicKey(appSecret)];
  const key = nip44.getConversationKey(secret, app);
  const pool = new SimplePool();
  const reply = (event: { id: string; content: string }): void => {
    const { text, isSealed } = answer(JSON.parse(nip44.decrypt(event.content, key)) as WalletRequest);
    const length = Buffer.byteLength(text);
    const content = isSealed && length > 0 && length <= MAX_SEALED ? nip44.encrypt(text, key) : text;
    const tags = [
      ['p', app],
      ['e', event.id],
    ];
    const signed = finalizeEvent({ kind: ANSWER, created_at: Math.floor(Date.now() / 1_000), tags, content }, secret);
    for (const sent of pool.publish([relay.url], signed)) sent.catch(() => {}); // if this fails, the app waits in vain
  };
  const ready = Promise.withResolvers<void>();
  const filter = { kinds: [REQUEST], '#p': [wallet], since: Math.floor(Date.now() / 1_000) };
  pool.subscribe([relay.url], filter, { oneose: () => ready.resolve(), onevent: reply });
  await ready.promise;
  const shared = Buffer.from(appSecret).toString('hex');
  return `nostr+walletconnect://${wallet}?relay=${encodeURIComponent(relay.url)}&secret=${shared}`;
}
