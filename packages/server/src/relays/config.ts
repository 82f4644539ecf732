import { type Static, Type } from 'typebox';

const PUBKEYS = '^(\\s*(npub1[02-9ac-hj-np-z]{58}|[0-9a-f]{64})\\s*(,|$))*$';

export const RelayConfig = Type.Object({
  urls: Type.String({
    env: 'ZOETROPE_RELAYS',
    default: '',
    pattern: '^(\\s*wss?://[^\\s,]+\\s*(,|$))*$',
    form: 'ws or wss URLs separated by commas, or empty',
    description:
      'Nostr relays whose GIFs the running service ingests continuously, separated by commas; empty: the relays added with `zoetrope add`',
  }),
  store: Type.Union([Type.Literal('linked'), Type.Literal('originals')], {
    env: 'ZOETROPE_RELAY_STORE',
    default: 'linked',
    description:
      'linked: files from relays are fetched once to check them, but not stored; originals: files from relays are stored',
  }),
  authors: Type.Union([Type.Literal('open'), Type.Literal('listed'), Type.Literal('followed')], {
    env: 'ZOETROPE_RELAY_AUTHORS',
    default: 'open',
    description:
      'Authors whose GIFs are ingested. open: everyone; listed: the people in ZOETROPE_RELAY_PUBKEYS; followed: the people in ZOETROPE_RELAY_PUBKEYS and everybody they follow',
  }),
  pubkeys: Type.String({
    env: 'ZOETROPE_RELAY_PUBKEYS',
    default: '',
    pattern: PUBKEYS,
    form: 'npubs or hexadecimal public keys separated by commas, or empty',
    description:
      'Public keys of the people that ZOETROPE_RELAY_AUTHORS and marks in ZOETROPE_RELAY_RULES refer to, separated by commas',
  }),
  rules: Type.Optional(
    Type.String({
      env: 'ZOETROPE_RELAY_RULES',
      default: '',
      description: 'What is read from relays',
    }),
  ),
  noteDays: Type.Integer({
    within: 'rules',
    former: 'ZOETROPE_RELAY_NOTE_DAYS',
    default: 30,
    minimum: 0,
    maximum: 3650,
    description:
      'maximum age, in days, of notes, pictures and comments from which GIFs are read; 0: no notes, pictures and comments are read',
  }),
  minAuthors: Type.Integer({
    within: 'rules',
    former: 'ZOETROPE_RELAY_MIN_AUTHORS',
    default: 3,
    minimum: 0,
    maximum: 1000,
    description:
      'number of people who must have posted the URL of a GIF without an imeta tag before the GIF is ingested; 0: GIFs without imeta tags are never ingested',
  }),
  marks: Type.Integer({
    within: 'rules',
    former: 'ZOETROPE_RELAY_MARKS',
    default: 3,
    minimum: 0,
    maximum: 1000,
    description:
      "number of people in ZOETROPE_RELAY_PUBKEYS, or followed by them, who must mark a GIF from relays as adult to hide it; 0: only the GIF's author can hide it. The author's mark always hides the GIF. Marks by anybody else become reports",
  }),
  limits: Type.Optional(
    Type.String({
      env: 'ZOETROPE_RELAY_LIMITS',
      default: '',
      description: 'Daily limits. Files and deletions over a limit are read on the following days',
    }),
  ),
  authorEvents: Type.Integer({
    within: 'limits',
    former: 'ZOETROPE_RELAY_AUTHOR_EVENTS',
    default: 1_000,
    minimum: 1,
    maximum: 1_000_000_000,
    description:
      'GIFs, URLs, likes, deletions and reports of one author, each counted separately; people in ZOETROPE_RELAY_PUBKEYS have no limit',
  }),
  relayEvents: Type.Integer({
    within: 'limits',
    former: 'ZOETROPE_RELAY_EVENTS',
    default: 200_000,
    minimum: 1,
    maximum: 1_000_000_000,
    description: 'GIFs, URLs, likes, deletions and reports from one relay, each counted separately',
  }),
  hostFiles: Type.Integer({
    former: 'ZOETROPE_RELAY_HOST_FILES',
    default: 20_000,
    minimum: 1,
    maximum: 1_000_000_000,
    description: 'Daily limit for files from relays fetched from one host; the rest are fetched on the following days',
  }),
  bytes: Type.Integer({
    within: 'limits',
    former: 'ZOETROPE_RELAY_BYTES',
    default: 20_000_000_000,
    minimum: 1_000_000,
    maximum: 1_000_000_000_000_000,
    description: 'fetched bytes of files',
  }),
  clips: Type.Union([Type.Literal('off'), Type.Literal('on')], {
    within: 'rules',
    former: 'ZOETROPE_RELAY_CLIPS',
    default: 'off',
    description: 'on: also read reaction clips, events of the draft kind 1090',
  }),
  packs: Type.Union([Type.Literal('off'), Type.Literal('on')], {
    within: 'rules',
    former: 'ZOETROPE_RELAY_PACKS',
    default: 'off',
    description:
      'on: also read packs of emoji and stickers (kinds 30030, 10030 and 30031). Each animated picture is a GIF, whose shortcode and pack name are tags',
  }),
  reactions: Type.Union([Type.Literal('on'), Type.Literal('off')], {
    former: 'ZOETROPE_RELAY_REACTIONS',
    default: 'on',
    description: 'on: count public likes and zaps of the last 90 days as popularity',
  }),
});
export type RelayConfig = Static<typeof RelayConfig>;
