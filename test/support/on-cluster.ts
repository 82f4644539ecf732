import { sharedServer } from '../../packages/server/src/platform/testing/shared-server.ts';
import { CLUSTER } from './server.ts';

// In this project's tests, services search in the cluster of the test run. Without OpenSearch, `npm test` leaves the
// project out.
process.env[CLUSTER] ??= await sharedServer('opensearch');
