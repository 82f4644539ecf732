import { type Static, Type } from 'typebox';

export const EnrichConfig = Type.Object({
  rating: Type.Union([Type.Literal('relays'), Type.Literal('on'), Type.Literal('off')], {
    env: 'ZOETROPE_RATING',
    default: 'relays',
    description:
      'relays: GIFs from relays are hidden until they are rated safe, and your own GIFs are shown immediately; on: all GIFs are hidden until they are rated safe; off: nothing is rated, and GIFs from relays are never shown',
  }),
  captions: Type.Union([Type.Literal('on'), Type.Literal('off')], {
    env: 'ZOETROPE_CAPTIONS',
    default: 'on',
    description:
      'on: during ingestion, a low-priority process that uses 450 MB of memory reads the captions in the pictures',
  }),
});
export type EnrichConfig = Static<typeof EnrichConfig>;
export type RatingMode = EnrichConfig['rating'];
