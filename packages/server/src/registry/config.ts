import { type Static, Type } from 'typebox';

export const RegistryConfig = Type.Object({
  databaseUrl: Type.String({
    env: 'ZOETROPE_DATABASE_URL',
    default: '',
    pattern: '^$|^postgres(?:ql)?://',
    form: 'a postgres:// URL, or empty',
    description:
      'PostgreSQL database for the catalogue and registered clients, shared by several machines; empty: zoetrope.db in the data folder',
  }),
});
export type RegistryConfig = Static<typeof RegistryConfig>;
