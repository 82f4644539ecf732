import type { S3Config } from '../../packages/server/src/platform/blobs/index.ts';

/** Returns settings for a service that stores its media in a bucket. */
export function s3Environment(config: S3Config): Record<string, string> {
  return {
    ZOETROPE_S3_ENDPOINT: config.endpoint,
    ZOETROPE_S3_BUCKET: config.bucket,
    ZOETROPE_S3_OPTIONS: `region=${config.region}, prefix=${config.prefix}, pathStyle=${config.pathStyle}`,
    ZOETROPE_S3_ACCESS_KEY: config.accessKey,
    ZOETROPE_S3_SECRET_KEY: config.secretKey,
  };
}
