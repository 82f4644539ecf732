import { type Static, Type } from 'typebox';

export const SharingConfig = Type.Object({
  publish: Type.Union([Type.Literal('off'), Type.Literal('on')], {
    env: 'ZOETROPE_PUBLISH',
    default: 'off',
    description:
      'on: the service publishes its catalogue at /catalogue/manifest.json, so that other services can follow it; it is signed with ZOETROPE_NOSTR_KEY. GIFs from catalogues that this service follows are not published again',
  }),
  followSeconds: Type.Integer({
    former: 'ZOETROPE_FOLLOW_SECONDS',
    default: 60,
    minimum: 1,
    maximum: 86_400,
    description: 'Interval, in seconds, at which the service checks a catalogue that it follows for changes',
  }),
});
export type SharingConfig = Static<typeof SharingConfig>;

/** Returns what is missing for publishing the catalogue. */
export function wrongPublishing({ sharing, http, service }: Record<string, Record<string, unknown>>): string[] {
  if (sharing!['publish'] !== 'on') return [];
  const needs = {
    ZOETROPE_NOSTR_KEY: [http!['nostrKey'], 'the secret key that signs the catalogue'],
    ZOETROPE_PUBLIC_URL: [service!['publicUrl'], 'the URL from which followers load GIFs'],
  } as const;
  const missing = Object.entries(needs).filter(([, [value]]) => value === '');
  return missing.map(([name, [, what]]) => `ZOETROPE_PUBLISH is on, so ${name} must be ${what}`);
}
