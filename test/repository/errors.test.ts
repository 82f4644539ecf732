import fs from 'node:fs';
import { expect, test } from 'vitest';

/** Matches a statement, up to its end, that creates an error with the code of a state that ends by itself. */
const TEMPORARY =
  /new ServiceError\(\s*'(?:rate_limited|fee_unavailable|registry_unavailable|upstream_unavailable)'.*?\);/gs;
/** Trying again does not help: an operator has to look at the machine. */
const LASTING = 'packages/server/src/serve/console/health.ts';

test('every error that ends by itself says when to try again', () => {
  const files = fs.globSync('packages/server/src/**/*.ts').filter((file) => !/\.test\.ts$|\/testing\//.test(file));
  const errors = files.flatMap((file) => {
    const found = fs.readFileSync(file, 'utf8').matchAll(TEMPORARY);
    return Array.from(found, ([text]) => ({ file, hasTime: text.includes('retryAfter') }));
  });
  expect(errors.length).toBeGreaterThan(20);
  expect(errors.flatMap(({ file, hasTime }) => (hasTime ? [] : [file]))).toEqual([LASTING]);
});
