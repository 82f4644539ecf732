import { Type } from 'typebox';

/** Settings used by several rooms. */
export const ServiceConfig = Type.Object({
  data: Type.String({
    env: 'ZOETROPE_DATA',
    default: './data',
    description: 'Folder for all data of the service: catalogue, media and builds',
  }),
  cache: Type.String({
    env: 'ZOETROPE_CACHE',
    default: '',
    description:
      "Folder in which drawn starter GIFs are cached for other data folders; empty: none. npm start and npx zoetrope use the folder zoetrope in the user's cache folder",
  }),
  host: Type.String({
    env: 'ZOETROPE_HOST',
    default: '127.0.0.1',
    description: 'IP address or host name to listen on',
  }),
  port: Type.Integer({
    env: 'ZOETROPE_PORT',
    default: 8080,
    minimum: 0,
    maximum: 65535,
    description: 'Port to listen on; 0: any free port',
  }),
  edgeHost: Type.String({
    env: 'ZOETROPE_EDGE_HOST',
    default: '127.0.0.1',
    description: 'IP address or host name to listen on for edges. The service trusts everybody who can connect to it',
  }),
  edgePort: Type.Integer({
    env: 'ZOETROPE_EDGE_PORT',
    default: 0,
    minimum: 0,
    maximum: 65535,
    description:
      'Port for edges: caches in front of the service that ask it which callers are admitted (see deploy/); 0: none',
  }),
  edgePurgeUrl: Type.String({
    env: 'ZOETROPE_EDGE_PURGE_URL',
    default: '',
    pattern: '^$|^https?://',
    description:
      'URL of the edge. The service sends PURGE and SOFTPURGE requests to it when cached responses become stale; empty: none',
  }),
  publicUrl: Type.String({
    env: 'ZOETROPE_PUBLIC_URL',
    default: '',
    pattern: '^$|^https?://',
    description:
      'Public base URL of the service. It can have a path if a proxy in front of the service removes that path; empty: http://HOST:PORT',
  }),
  mediaUrl: Type.String({
    env: 'ZOETROPE_MEDIA_URL',
    default: '',
    pattern: '^$|^https?://',
    description: 'Public base URL of the media in responses; empty: the public URL of the service',
  }),
  operatorName: Type.String({
    env: 'ZOETROPE_OPERATOR_NAME',
    default: 'Zoetrope',
    minLength: 1,
    maxLength: 100,
    description: "Name in the attribution line 'GIFs from NAME'",
  }),
  operatorUrl: Type.String({
    env: 'ZOETROPE_OPERATOR_URL',
    default: '',
    pattern: '^$|^https?://',
    description: 'Home page that the attribution line links to; empty: the public URL of the service',
  }),
  threads: Type.Integer({
    env: 'ZOETROPE_THREADS',
    default: 0,
    minimum: 0,
    maximum: 256,
    description: 'Number of threads that serve requests; 0: one per core',
  }),
  metricsPort: Type.Integer({
    env: 'ZOETROPE_METRICS_PORT',
    default: 0,
    minimum: 0,
    maximum: 65535,
    description: 'Port on 127.0.0.1 that serves /metrics for Prometheus; 0: none',
  }),
  machine: Type.String({
    env: 'ZOETROPE_MACHINE',
    default: '',
    maxLength: 64,
    description:
      "Name of this machine among the machines that share a PostgreSQL database. Files that are added on this machine are read by processes with this name; empty: the machine's host name",
  }),
  background: Type.Union([Type.Literal('on'), Type.Literal('off')], {
    env: 'ZOETROPE_BACKGROUND',
    default: 'on',
    description:
      'off: the service only answers requests; other processes add GIFs (zoetrope work --keep) and follow relays (zoetrope relays follow)',
  }),
  diskReserveBytes: Type.Integer({
    env: 'ZOETROPE_DISK_RESERVE_BYTES',
    default: 500_000_000,
    minimum: 0,
    description: 'Number of bytes to keep free on the media disk; while fewer bytes are free, no media are stored',
  }),
  starter: Type.Union([Type.Literal('on'), Type.Literal('off')], {
    env: 'ZOETROPE_STARTER',
    default: 'on',
    description: 'on: when the service starts with an empty data folder, it adds the starter catalogue',
  }),
  logLevel: Type.Union(
    ['debug', 'info', 'warn', 'error', 'silent'].map((level) => Type.Literal(level)),
    { env: 'ZOETROPE_LOG_LEVEL', default: 'warn', description: 'Lowest level of messages to log' },
  ),
});
