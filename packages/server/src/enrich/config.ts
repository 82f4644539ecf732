import { type Static, Type } from 'typebox';

export const EnrichConfig = Type.Object({
  rating: Type.Union([Type.Literal('relays'), Type.Literal('on'), Type.Literal('off')], {
    env: 'ZOETROPE_RATING',
    default: 'relays',
    description:
      'relays: GIFs from relays are hidden until they are rated safe, and your own GIFs are shown immediately; on: all GIFs are hidden until they are rated safe or you vouch for them; off: no GIF is rated, and GIFs from relays are never shown',
  }),
  captions: Type.Union([Type.Literal('on'), Type.Literal('off')], {
    env: 'ZOETROPE_CAPTIONS',
    default: 'on',
    description:
      'on: while GIFs are added, a low-priority process reads the captions in the pictures, and uses 450 MB of memory',
  }),
});
export type EnrichConfig = Static<typeof EnrichConfig>;
export type RatingMode = EnrichConfig['rating'];
