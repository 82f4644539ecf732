import { LIMITS } from '@zoetrope/contract';
import { type Static, Type } from 'typebox';

const secret = (env: string, description: string, pattern?: string) =>
  Type.String({ env, default: '', description, ...(pattern && { pattern }) });

export const PaymentsConfig = Type.Object({
  provider: Type.Union(
    [Type.Literal('none'), Type.Literal('nwc'), Type.Literal('phoenixd'), Type.Literal('lnbits'), Type.Literal('demo')],
    {
      env: 'ZOETROPE_LIGHTNING',
      default: 'none',
      description:
        'The wallet that receives the registration fee; none: registration is free; demo: nothing is paid, and invoices settle by themselves after five seconds. For demo, ZOETROPE_HOST must be a loopback address',
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
      env: 'ZOETROPE_LIGHTNING_NETWORK',
      default: 'mainnet',
      description:
        'Network of the invoices. On networks other than mainnet, coins have no value, so registration is free in practice',
    },
  ),
  proof: Type.Union([Type.Literal('required'), Type.Literal('optional')], {
    env: 'ZOETROPE_LIGHTNING_PROOF',
    default: 'required',
    description:
      'required: if the wallet reports an order as settled without its preimage, an operator decides about the order; optional: an order without a preimage counts as paid. Choose optional only for a wallet that you trust and that returns no preimages',
  }),
  nwcUrl: secret(
    'ZOETROPE_NWC_URL',
    'nwc: secret URL of the wallet connection (NIP-47). The connection should only have the rights to create and to look up invoices',
    '^$|^nostr\\+walletconnect://',
  ),
  allowSpending: Type.Boolean({
    env: 'ZOETROPE_NWC_ALLOW_SPENDING',
    default: false,
    description: 'nwc: accept a wallet connection that has spending rights',
  }),
  phoenixdUrl: secret(
    'ZOETROPE_PHOENIXD_URL',
    'phoenixd: URL of the server, such as http://127.0.0.1:9740',
    '^$|^https?://',
  ),
  phoenixdPassword: secret('ZOETROPE_PHOENIXD_PASSWORD', 'phoenixd: the limited-access password, which cannot pay'),
  lnbitsUrl: secret('ZOETROPE_LNBITS_URL', 'lnbits: URL of the server', '^$|^https?://'),
  lnbitsKey: secret('ZOETROPE_LNBITS_KEY', 'lnbits: the invoice key of the wallet, not its admin key'),
});
export type PaymentsConfig = Static<typeof PaymentsConfig>;
