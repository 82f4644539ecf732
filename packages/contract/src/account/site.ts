import Type, { type Static } from 'typebox';

/** The facts about the service that the dashboard needs before anyone signs in. */
export const Site = Type.Object({
  apiBase: Type.String({ description: 'Public base URL of the API, without a trailing slash' }),
  operator: Type.Object({ name: Type.String(), url: Type.String() }),
  attribution: Type.String({ description: 'The line that clients must show: GIFs from NAME' }),
  terms: Type.Object({
    version: Type.String({ description: 'A hash of the text, the operator and the fee' }),
    text: Type.Array(Type.String(), { description: 'Paragraphs' }),
  }),
  fee: Type.Object({
    sats: Type.Integer({ minimum: 0, description: 'Fee that each client pays once; 0 if registration is free' }),
    provider: Type.String({ description: 'Provider of the invoices; `none` if there is no fee' }),
  }),
  relays: Type.Array(Type.String(), {
    description: 'Relays through which the page and a remote signer communicate (nostrconnect)',
  }),
  messenger: Type.String({
    description: 'Npub that sends notices as direct messages; empty if the service sends none',
  }),
  cached: Type.Boolean({
    description: 'Whether caches in front of the service remember for a while which callers are admitted',
  }),
  reviewed: Type.Boolean({ description: 'Whether the service has operators who review requests' }),
  claimable: Type.Boolean({
    description: 'Whether this browser can make its user the first operator, with the code that the service printed',
  }),
});
export type Site = Static<typeof Site>;
