import fs from 'node:fs';
import { expect, test } from 'vitest';
import { VERSION } from './version.ts';

test('the version is that of the package', () => {
  const manifest = JSON.parse(fs.readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  expect(VERSION).toBe(manifest.version);
});
