import Type, { type Static } from 'typebox';

/** What the dashboard needs to know of the service before anybody is signed in. */
export const Site = Type.Object({
  apiBase: Type.String({ description: 'Public base address of the API, without a trailing slash' }),
  operator: Type.Object({ name: Type.String(), url: Type.String() }),
  attribution: Type.String({ description: 'The line that clients show: GIFs from NAME' }),
  terms: Type.Object({
    version: Type.String({ description: 'A hash of the text, the operator and the fee' }),
    text: Type.Array(Type.String(), { description: 'Paragraphs' }),
  }),
  fee: Type.Object({
    sats: Type.Integer({ minimum: 0, description: 'Paid once for each client; 0: nothing is paid' }),
    provider: Type.String({ description: 'Of the invoices; `none` when there is no fee' }),
  }),
  relays: Type.Array(Type.String(), { description: 'Where a signer and this page meet, for nostrconnect' }),
  reviewed: Type.Boolean({ description: 'Whether there are operators who review' }),
});
export type Site = Static<typeof Site>;
