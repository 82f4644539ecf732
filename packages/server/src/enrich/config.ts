import { type Static, Type } from 'typebox';

export const EnrichConfig = Type.Object({
  rating: Type.Union([Type.Literal('relays'), Type.Literal('on'), Type.Literal('off')], {
    env: 'ZOETROPE_RATING',
    default: 'relays',
    description:
      'relays: GIFs from relays are shown once they are rated safe, your own at once; on: your own too only then; off: nothing is rated, and nothing from relays is shown',
  }),
  captions: Type.Union([Type.Literal('on'), Type.Literal('off')], {
    env: 'ZOETROPE_CAPTIONS',
    default: 'on',
    description:
      'on: the words in pictures are read, by a process of low priority that takes 450 MB while GIFs are taken in',
  }),
});
export type EnrichConfig = Static<typeof EnrichConfig>;
export type RatingMode = EnrichConfig['rating'];
