import { type Static, Type } from 'typebox';

const PUBKEY = '(?:npub1[0-9a-z]{58}|[0-9a-fA-F]{64})';
/** Only relays with TLS are allowed, because the page's content security policy allows no other relays. */
const RELAY = 'wss://[^\\s,]+';

export const AccountConfig = Type.Object({
  admins: Type.String({
    env: 'ZOETROPE_ADMINS',
    default: '',
    pattern: `^$|^${PUBKEY}(?:\\s*,\\s*${PUBKEY})*$`,
    form: 'npubs or hexadecimal public keys, separated by commas',
    description:
      'Nostr public keys of the operators who review requests and reports in the dashboard, separated by commas. The registry can have others (zoetrope operator add)',
  }),
  members: Type.String({
    env: 'ZOETROPE_MEMBERS',
    default: '',
    pattern: `^$|^${PUBKEY}(?:\\s*,\\s*${PUBKEY})*$`,
    form: 'npubs or hexadecimal public keys, separated by commas',
    description:
      'Nostr public keys of the people who can upload GIFs, separated by commas. An operator reviews each file before anybody else can see it; empty: nobody can upload',
  }),
  limits: Type.Optional(
    Type.String({
      env: 'ZOETROPE_MEMBER_LIMITS',
      default: '',
      description: 'What each member can upload within 24 hours',
    }),
  ),
  memberFiles: Type.Integer({
    within: 'limits',
    former: 'ZOETROPE_MEMBER_FILES',
    default: 50,
    minimum: 1,
    maximum: 10_000,
    description: 'number of files',
  }),
  memberBytes: Type.Integer({
    within: 'limits',
    former: 'ZOETROPE_MEMBER_BYTES',
    default: 200_000_000,
    minimum: 1_000_000,
    maximum: 100_000_000_000,
    description: 'number of bytes',
  }),
  signerRelays: Type.String({
    env: 'ZOETROPE_SIGNER_RELAYS',
    default: '',
    pattern: `^$|^${RELAY}(?:\\s*,\\s*${RELAY})*$`,
    form: 'relay URLs (wss://HOST), separated by commas',
    description:
      'Relays, separated by commas, through which people sign in to the dashboard by QR code with a remote signer (nostrconnect); empty: no QR code',
  }),
  backups: Type.String({
    env: 'ZOETROPE_BACKUPS',
    default: '',
    description:
      'Folder in which operators can make backups in the browser, each in a folder of its own, preferably on another disk; empty: backups are made only with zoetrope backup',
  }),
});
export type AccountConfig = Static<typeof AccountConfig>;
