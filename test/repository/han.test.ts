import fs from 'node:fs';
import { expect, it } from 'vitest';
import { hanCharacters } from '../../tools/han.ts';

it('the committed Chinese characters match their source', () => {
  expect(fs.readFileSync('packages/search/src/analysis/han.ts', 'utf8')).toBe(hanCharacters());
});
