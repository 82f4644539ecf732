import { type Static, Type } from 'typebox';

const PUBKEY = '(?:npub1[0-9a-z]{58}|[0-9a-fA-F]{64})';
/** The page's policy lets it speak to no relay without TLS. */
const RELAY = 'wss://[^\\s,]+';

export const AccountConfig = Type.Object({
  admins: Type.String({
    env: 'ZOETROPE_ADMINS',
    default: '',
    pattern: `^$|^${PUBKEY}(?:\\s*,\\s*${PUBKEY})*$`,
    form: 'npubs or public keys in hexadecimal, with commas between them',
    description: 'Nostr public keys of those who review what clients ask for, with commas between them; empty: nobody',
  }),
  signerRelays: Type.String({
    env: 'ZOETROPE_SIGNER_RELAYS',
    default: '',
    pattern: `^$|^${RELAY}(?:\\s*,\\s*${RELAY})*$`,
    form: 'addresses of relays (wss://HOST), with commas between them',
    description: 'Relays where the dashboard meets a remote signer that scans its code (nostrconnect); empty: no code',
  }),
});
export type AccountConfig = Static<typeof AccountConfig>;
