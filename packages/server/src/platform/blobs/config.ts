import { type Static, Type } from 'typebox';

export const S3Config = Type.Object({
  endpoint: Type.String({
    env: 'ZOETROPE_S3_ENDPOINT',
    default: '',
    pattern: '^$|^https?://[^/@?#\\s]+/?$',
    form: 'an http or https URL without a path, or empty',
    description:
      'URL of the S3 service that stores originals and previews; empty: the folder `media` in ZOETROPE_DATA stores them',
  }),
  bucket: Type.String({
    env: 'ZOETROPE_S3_BUCKET',
    default: '',
    pattern: '^$|^[\\w][\\w.-]{1,61}[\\w]$',
    form: 'a bucket name',
    description: 'Name of the bucket, which must exist; it can also contain other objects',
  }),
  options: Type.Optional(
    Type.String({
      env: 'ZOETROPE_S3_OPTIONS',
      default: '',
      description: 'Options of the bucket',
    }),
  ),
  region: Type.String({
    within: 'options',
    former: 'ZOETROPE_S3_REGION',
    default: 'us-east-1',
    minLength: 1,
    maxLength: 100,
    description: 'region for signing requests; many services accept any region',
  }),
  accessKey: Type.String({
    env: 'ZOETROPE_S3_ACCESS_KEY',
    default: '',
    description: 'Access key id of a user who has the rights to list the bucket and to get, put and delete its objects',
  }),
  secretKey: Type.String({ env: 'ZOETROPE_S3_SECRET_KEY', default: '', description: 'Secret access key of this user' }),
  prefix: Type.String({
    within: 'options',
    former: 'ZOETROPE_S3_PREFIX',
    default: '',
    pattern: '^$|^[\\w-][\\w.-]*(/[\\w-][\\w.-]*)*/?$',
    form: 'names of letters, digits, ., _ and -, separated by /, or empty',
    description: 'prefix of all object names; empty: none',
  }),
  pathStyle: Type.Boolean({
    within: 'options',
    former: 'ZOETROPE_S3_PATH_STYLE',
    default: true,
    description: "true: the bucket's name is part of the path; false: it is part of the host name",
  }),
});
export type S3Config = Static<typeof S3Config>;
