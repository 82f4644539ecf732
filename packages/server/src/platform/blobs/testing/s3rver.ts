import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
// @ts-expect-error: it has no types.
import Untyped from 's3rver';
import type { S3Config } from '../config.ts';

interface S3rver {
  run(): Promise<AddressInfo>;
  httpServer: Server;
  logger: { silent: boolean };
}

/** Starts s3rver, a third-party S3 store, in a folder. It accepts any signature. */
export async function startS3rver(directory: string): Promise<{ config: S3Config; stop(): Promise<void> }> {
  const Store = Untyped as new (options: object) => S3rver;
  const bucket = 'some-bucket';
  const options = { address: '127.0.0.1', port: 0, silent: true, directory, configureBuckets: [{ name: bucket }] };
  const store = new Store(options);
  const { port } = await store.run();
  const [accessKey, secretKey] = ['S3RVER', 'S3RVER'];
  const endpoint = `http://127.0.0.1:${port}`;
  return {
    config: { endpoint, bucket, region: 'us-east-1', accessKey, secretKey, prefix: '', pathStyle: true },
    async stop() {
      // Without this setting, s3rver reports log lines that it cannot write.
      store.logger.silent = true;
      const closed = once(store.httpServer, 'close');
      store.httpServer.close();
      store.httpServer.closeAllConnections();
      await closed;
    },
  };
}
