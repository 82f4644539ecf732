import { type Static, Type } from 'typebox';

export const S3Config = Type.Object({
  endpoint: Type.String({
    env: 'ZOETROPE_S3_ENDPOINT',
    default: '',
    pattern: '^$|^https?://[^/@?#\\s]+/?$',
    form: 'an http or https address without a path, or empty',
    description: 'S3 store that keeps originals and previews; empty: the folder `media` in ZOETROPE_DATA',
  }),
  bucket: Type.String({
    env: 'ZOETROPE_S3_BUCKET',
    default: '',
    pattern: '^$|^[\\w][\\w.-]{1,61}[\\w]$',
    form: 'the name of a bucket',
    description: 'Bucket, which must be there; it may hold other things too',
  }),
  region: Type.String({
    env: 'ZOETROPE_S3_REGION',
    default: 'us-east-1',
    minLength: 1,
    maxLength: 100,
    description: 'Region that requests are signed for; many stores take any',
  }),
  accessKey: Type.String({
    env: 'ZOETROPE_S3_ACCESS_KEY',
    default: '',
    description: 'Access key id of a user who may list the bucket, and get, put and delete its objects',
  }),
  secretKey: Type.String({ env: 'ZOETROPE_S3_SECRET_KEY', default: '', description: 'Secret access key of that user' }),
  prefix: Type.String({
    env: 'ZOETROPE_S3_PREFIX',
    default: '',
    pattern: '^$|^[\\w-][\\w.-]*(/[\\w-][\\w.-]*)*/?$',
    form: 'names of letters, digits, ., _ and -, separated by /, or empty',
    description: 'What the names of all objects start with; empty: nothing',
  }),
  pathStyle: Type.Boolean({
    env: 'ZOETROPE_S3_PATH_STYLE',
    default: true,
    description: 'The bucket stands in the path of addresses; false: before the name of the host',
  }),
});
export type S3Config = Static<typeof S3Config>;
