import { expect, test } from 'vitest';
import type { Service } from '../service/index.ts';
import { useBuild } from './builds.ts';

test('an index in a cluster cannot be rolled back', async () => {
  const service = { cluster: {}, store: {} } as Service;
  await expect(useBuild(service, { actor: 'test', now: 0 }, 'b000000000000')).rejects.toThrow(
    'ZOETROPE_SEARCH=opensearch',
  );
});
