import { type Static, Type } from 'typebox';

const PUBKEYS = '^(\\s*(npub1[02-9ac-hj-np-z]{58}|[0-9a-f]{64})\\s*(,|$))*$';

export const RelayConfig = Type.Object({
  urls: Type.String({
    env: 'ZOETROPE_RELAYS',
    default: '',
    pattern: '^(\\s*wss?://[^\\s,]+\\s*(,|$))*$',
    form: 'ws or wss addresses with commas between, or empty',
    description: 'Nostr relays whose GIFs the running service takes in, and goes on to; empty: those added by command',
  }),
  store: Type.Union([Type.Literal('linked'), Type.Literal('originals')], {
    env: 'ZOETROPE_RELAY_STORE',
    default: 'linked',
    description:
      'linked: GIFs of relays are fetched once to be checked, and stay where they are; originals: they are kept',
  }),
  authors: Type.Union([Type.Literal('open'), Type.Literal('listed'), Type.Literal('followed')], {
    env: 'ZOETROPE_RELAY_AUTHORS',
    default: 'open',
    description:
      'Whose GIFs are taken: open: everybody; listed: of ZOETROPE_RELAY_PUBKEYS; followed: of those whom they follow too',
  }),
  pubkeys: Type.String({
    env: 'ZOETROPE_RELAY_PUBKEYS',
    default: '',
    pattern: PUBKEYS,
    form: 'public keys, as npub or hexadecimal, with commas between, or empty',
    description: 'Public keys of the people whom ZOETROPE_RELAY_AUTHORS speaks of',
  }),
  noteDays: Type.Integer({
    env: 'ZOETROPE_RELAY_NOTE_DAYS',
    default: 30,
    minimum: 0,
    maximum: 3650,
    description: 'How far back notes, pictures and comments with GIFs in them are read, in days; 0: they are not read',
  }),
  minAuthors: Type.Integer({
    env: 'ZOETROPE_RELAY_MIN_AUTHORS',
    default: 3,
    minimum: 0,
    maximum: 1000,
    description:
      'How many people must have posted the bare address of a GIF in notes before it is taken; 0: it never is',
  }),
  marks: Type.Integer({
    env: 'ZOETROPE_RELAY_MARKS',
    default: 3,
    minimum: 0,
    maximum: 1000,
    description:
      'How many people of ZOETROPE_RELAY_PUBKEYS, or whom those follow, must mark a GIF of relays as adult before it is hidden, unless its own author does; 0: only its author can. All other marks become reports',
  }),
  authorEvents: Type.Integer({
    env: 'ZOETROPE_RELAY_AUTHOR_EVENTS',
    default: 1_000,
    minimum: 1,
    maximum: 1_000_000_000,
    description:
      'How many GIFs, addresses, likes, deletions and reports of one author are taken in a day, each by itself; people of ZOETROPE_RELAY_PUBKEYS are not counted. What is over is read again on the next days',
  }),
  relayEvents: Type.Integer({
    env: 'ZOETROPE_RELAY_EVENTS',
    default: 200_000,
    minimum: 1,
    maximum: 1_000_000_000,
    description: 'The same for everything that comes from one relay',
  }),
  hostFiles: Type.Integer({
    env: 'ZOETROPE_RELAY_HOST_FILES',
    default: 20_000,
    minimum: 1,
    maximum: 1_000_000_000,
    description: 'How many files that relays tell of are fetched from one host in a day; the others wait for the next',
  }),
  bytes: Type.Integer({
    env: 'ZOETROPE_RELAY_BYTES',
    default: 20_000_000_000,
    minimum: 1_000_000,
    maximum: 1_000_000_000_000_000,
    description: 'How many bytes of files that relays tell of are fetched in a day; the others wait for the next',
  }),
  clips: Type.Union([Type.Literal('off'), Type.Literal('on')], {
    env: 'ZOETROPE_RELAY_CLIPS',
    default: 'off',
    description: 'on: the draft kind 1090, reaction clips, is read too',
  }),
  reactions: Type.Union([Type.Literal('on'), Type.Literal('off')], {
    env: 'ZOETROPE_RELAY_REACTIONS',
    default: 'on',
    description: 'on: likes and zaps of the last 90 days, as far as they are public, say which GIFs are popular',
  }),
});
export type RelayConfig = Static<typeof RelayConfig>;
