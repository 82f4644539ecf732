import { sharedServer } from '../../packages/server/src/platform/testing/shared-server.ts';
import { CLUSTER } from './server.ts';

// The services of this project's tests search in the run's cluster. Without OpenSearch, `npm test` leaves the project out.
process.env[CLUSTER] ??= await sharedServer('opensearch');
