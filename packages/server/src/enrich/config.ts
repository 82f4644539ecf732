import { type Static, Type } from 'typebox';

export const EnrichConfig = Type.Object({
  rating: Type.Union([Type.Literal('relays'), Type.Literal('on'), Type.Literal('off')], {
    env: 'ZOETROPE_RATING',
    default: 'relays',
    description:
      'relays: GIFs from relays are shown once they are rated safe, your own at once; on: your own, too, are shown only once they are rated safe; off: nothing is rated, and GIFs from relays are not shown',
  }),
  captions: Type.Union([Type.Literal('on'), Type.Literal('off')], {
    env: 'ZOETROPE_CAPTIONS',
    default: 'on',
    description: 'on: captions in pictures are read during ingestion, by a low-priority process that uses 450 MB',
  }),
});
export type EnrichConfig = Static<typeof EnrichConfig>;
export type RatingMode = EnrichConfig['rating'];
