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
  databaseConnections: Type.Integer({
    former: 'ZOETROPE_DATABASE_CONNECTIONS',
    default: 4,
    minimum: 2,
    maximum: 100,
    description:
      'Maximum number of PostgreSQL connections in each pool. Each process has two pools, and so does each thread of the service',
  }),
  databaseTimeoutMs: Type.Integer({
    former: 'ZOETROPE_DATABASE_TIMEOUT_MS',
    default: 3_000,
    minimum: 100,
    maximum: 60_000,
    description: 'Maximum time of a PostgreSQL statement for a request, in milliseconds',
  }),
});
export type RegistryConfig = Static<typeof RegistryConfig>;
