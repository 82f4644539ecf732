import { type Static, Type } from 'typebox';

export const FetchConfig = Type.Object({
  allowPrivate: Type.Boolean({
    env: 'ZOETROPE_FETCH_ALLOW_PRIVATE',
    default: false,
    description:
      'true: also allow downloads from private and loopback IP addresses, such as a mirror in your own network',
  }),
});
export type FetchConfig = Static<typeof FetchConfig>;
