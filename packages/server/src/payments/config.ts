import { LIMITS } from '@zoetrope/contract';
import { type Static, Type } from 'typebox';

const secret = (env: string, description: string, pattern?: string) =>
  Type.String({ env, default: '', description, ...(pattern && { pattern }) });

export const PaymentsConfig = Type.Object({
  provider: Type.Union([Type.Literal('none'), Type.Literal('nwc'), Type.Literal('phoenixd'), Type.Literal('lnbits')], {
    env: 'ZOETROPE_LIGHTNING',
    default: 'none',
    description: 'The wallet that receives the registration fee; none: registration is free',
  }),
  feeSats: Type.Integer({
    env: 'ZOETROPE_FEE_SATS',
    default: LIMITS.registrationFeeSats,
    minimum: 1,
    maximum: 10_000_000,
    description: 'Paid once for each client, in satoshis, where there is a wallet',
  }),
  network: Type.Union(
    [Type.Literal('mainnet'), Type.Literal('testnet'), Type.Literal('signet'), Type.Literal('regtest')],
    {
      env: 'ZOETROPE_LIGHTNING_NETWORK',
      default: 'mainnet',
      description: 'The network that invoices must be of; on any other than mainnet registration is as good as free',
    },
  ),
  nwcUrl: secret(
    'ZOETROPE_NWC_URL',
    'nwc: secret connection to a wallet (NIP-47) that may make and look up invoices, and nothing else',
    '^$|^nostr\\+walletconnect://',
  ),
  allowSpending: Type.Boolean({
    env: 'ZOETROPE_NWC_ALLOW_SPENDING',
    default: false,
    description: 'nwc: take a connection although it may also pay',
  }),
  phoenixdUrl: secret('ZOETROPE_PHOENIXD_URL', 'phoenixd: its address, such as http://127.0.0.1:9740', '^$|^https?://'),
  phoenixdPassword: secret('ZOETROPE_PHOENIXD_PASSWORD', 'phoenixd: its limited password, which cannot pay'),
  lnbitsUrl: secret('ZOETROPE_LNBITS_URL', 'lnbits: its address', '^$|^https?://'),
  lnbitsKey: secret('ZOETROPE_LNBITS_KEY', 'lnbits: the invoice key of a wallet, not its admin key'),
});
export type PaymentsConfig = Static<typeof PaymentsConfig>;
