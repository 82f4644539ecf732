import { type Static, Type } from 'typebox';

/** Settings for an index in an OpenSearch cluster. */
export const ClusterConfig = Type.Object({
  search: Type.Union([Type.Literal('embedded'), Type.Literal('opensearch')], {
    env: 'ZOETROPE_SEARCH',
    default: 'embedded',
    description:
      'embedded: the index is in the memory of the service; opensearch: the index is in an OpenSearch cluster, for catalogues that do not fit into memory',
  }),
  urls: Type.String({
    env: 'ZOETROPE_OPENSEARCH_URL',
    default: '',
    pattern: '^$|^https?://[^/@?#\\s,]+/?(\\s*,\\s*https?://[^/@?#\\s,]+/?)*$',
    form: 'http or https URLs without a path or password, separated by commas, or empty',
    description:
      "URLs of the OpenSearch cluster's nodes, separated by commas. With three nodes or more, searches continue while one node is down",
  }),
  password: Type.String({
    env: 'ZOETROPE_OPENSEARCH_PASSWORD',
    default: '',
    description: 'Password of the OpenSearch user',
  }),
  options: Type.Optional(
    Type.String({
      env: 'ZOETROPE_OPENSEARCH_OPTIONS',
      default: '',
      description: 'Options of the cluster',
    }),
  ),
  user: Type.String({
    within: 'options',
    former: 'ZOETROPE_OPENSEARCH_USER',
    default: '',
    pattern: '^[^:]*$',
    form: 'a name without a colon, or empty',
    description: 'name of the OpenSearch user; empty: the cluster needs no user name',
  }),
  ca: Type.String({
    within: 'options',
    former: 'ZOETROPE_OPENSEARCH_CA',
    default: '',
    description:
      "file with the certificates, in PEM, of the authorities that signed the nodes' certificates; empty: the authorities that Node.js trusts",
  }),
  prefix: Type.String({
    within: 'options',
    former: 'ZOETROPE_OPENSEARCH_PREFIX',
    default: 'zoetrope',
    pattern: '^[a-z0-9][a-z0-9_]{0,63}$',
    form: 'up to 64 lower-case letters, digits and _',
    description: 'prefix of the names of all indexes; services that share a cluster need different prefixes',
  }),
  shards: Type.Integer({
    within: 'options',
    former: 'ZOETROPE_OPENSEARCH_SHARDS',
    default: 3,
    minimum: 1,
    maximum: 1024,
    description: 'number of shards of the index; a change takes effect at the next `zoetrope index rebuild`',
  }),
  replicas: Type.Integer({
    within: 'options',
    former: 'ZOETROPE_OPENSEARCH_REPLICAS',
    default: 1,
    minimum: 0,
    maximum: 10,
    description:
      'number of extra copies of each shard; with 0, searches fail while a node is down; a change takes effect at the next `zoetrope index rebuild`',
  }),
  shadow: Type.String({
    within: 'options',
    default: '0',
    pattern: '^(0|1|0?\\.\\d+)$',
    form: 'a number from 0 to 1',
    description:
      'with `ZOETROPE_SEARCH=embedded`: share of the searches that are also sent to the cluster, for comparison; callers get the results of the index in memory',
  }),
});
export type ClusterConfig = Static<typeof ClusterConfig>;
