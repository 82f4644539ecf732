import { LIMITS } from '@zoetrope/contract';
import { type Static, Type } from 'typebox';

/** A part of the wallet's URL. */
const part = (former: string, description: string, pattern?: string) =>
  Type.String({ within: 'wallet', former, default: '', description, ...(pattern && { pattern }) });

/** Reads the URL of a wallet (ZOETROPE_WALLET). An invalid text, which the pattern rejects, contains no values. */
function readWallet(text: string): Record<string, string> {
  if (text === 'demo') return { provider: 'demo' };
  if (text.startsWith('nostr+walletconnect:')) return { provider: 'nwc', nwcUrl: text };
  const [, provider, scheme, secret, rest] = REST_WALLET.exec(text) ?? [];
  const url = `${scheme}://${rest}`;
  if (provider === 'phoenixd') return { provider, phoenixdUrl: url, phoenixdPassword: decoded(secret!) };
  if (provider === 'lnbits') return { provider, lnbitsUrl: url, lnbitsKey: decoded(secret!) };
  return text === '' ? { provider: 'none' } : {};
}

const REST_WALLET = /^(phoenixd|lnbits)\+(https?):\/\/:?([^@/\s]+)@(\S+)$/;

/** Decodes a secret of a URL. If a percent sign encodes nothing, the secret is returned unchanged. */
function decoded(secret: string): string {
  try {
    return decodeURIComponent(secret);
  } catch {
    return secret;
  }
}

export const PaymentsConfig = Type.Object({
  wallet: Type.Optional(
    Type.String({
      env: 'ZOETROPE_WALLET',
      default: '',
      split: readWallet,
      pattern: `^$|^demo$|^nostr\\+walletconnect://|${REST_WALLET.source}`,
      form: 'demo, nostr+walletconnect://PUBKEY?relay=URL&secret=SECRET, phoenixd+http://:PASSWORD@HOST:PORT, lnbits+https://:KEY@HOST, or empty',
      description:
        'Secret URL of the wallet that receives the registration fee: a wallet connection (NIP-47) that should only have the rights to create and to look up invoices; phoenixd with its limited-access password, which cannot pay; or LNbits with the invoice key of the wallet, not its admin key. In a password or key, write % as %25, @ as %40 and / as %2F. demo: nothing is paid, and invoices settle by themselves after five seconds; ZOETROPE_HOST must then be a loopback address. Empty: registration is free',
    }),
  ),
  provider: Type.Union(
    [Type.Literal('none'), Type.Literal('nwc'), Type.Literal('phoenixd'), Type.Literal('lnbits'), Type.Literal('demo')],
    {
      within: 'wallet',
      former: 'ZOETROPE_LIGHTNING',
      default: 'none',
      description: 'The kind of wallet',
    },
  ),
  feeSats: Type.Integer({
    env: 'ZOETROPE_FEE_SATS',
    default: LIMITS.registrationFeeSats,
    minimum: 1,
    maximum: 10_000_000,
    description: 'Fee that each client pays once, in satoshis, if a wallet is configured',
  }),
  network: Type.Union(
    [Type.Literal('mainnet'), Type.Literal('testnet'), Type.Literal('signet'), Type.Literal('regtest')],
    {
      former: 'ZOETROPE_LIGHTNING_NETWORK',
      default: 'mainnet',
      description: 'Network of the invoices. On networks other than mainnet, coins have no value',
    },
  ),
  proof: Type.Union([Type.Literal('required'), Type.Literal('optional')], {
    env: 'ZOETROPE_LIGHTNING_PROOF',
    default: 'required',
    description:
      'required: if the wallet reports an order as settled without its preimage, an operator decides about the order; optional: an order without a preimage counts as paid. Choose optional only for a wallet that you trust and that returns no preimages',
  }),
  nwcUrl: part('ZOETROPE_NWC_URL', 'URL of the wallet connection', '^$|^nostr\\+walletconnect://'),
  allowSpending: Type.Boolean({
    env: 'ZOETROPE_NWC_ALLOW_SPENDING',
    default: false,
    description: 'nwc: accept a wallet connection that has spending rights',
  }),
  phoenixdUrl: part('ZOETROPE_PHOENIXD_URL', 'URL of phoenixd', '^$|^https?://'),
  phoenixdPassword: part('ZOETROPE_PHOENIXD_PASSWORD', 'Password of phoenixd'),
  lnbitsUrl: part('ZOETROPE_LNBITS_URL', 'URL of LNbits', '^$|^https?://'),
  lnbitsKey: part('ZOETROPE_LNBITS_KEY', 'Key of LNbits'),
});
export type PaymentsConfig = Static<typeof PaymentsConfig>;
