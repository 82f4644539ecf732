import fs from 'node:fs';
import path from 'node:path';
import * as contract from '@zoetrope/contract/account';
import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { expect, test } from 'vitest';

const routes = path.join(import.meta.dirname, 'routes');
const sources = fs.readdirSync(routes).map((file) => fs.readFileSync(path.join(routes, file), 'utf8'));
const schemas = contract as unknown as Record<string, TSchema>;
/** The names of all schemas with which a route checks its body. */
const bodies = [
  ...new Set(sources.flatMap((text) => Array.from(text.matchAll(/readBody\(request, (\w+)\)/g), ([, name]) => name!))),
];

test('all routes were read', () => {
  expect(bodies.length).toBeGreaterThan(20);
});

// A misspelt optional field would otherwise be ignored, and its sender would believe that it had an effect.
test.each(bodies)('the schema %s refuses unknown fields', (name) => {
  expect([...Value.Errors(schemas[name]!, { unknown: 1 })]).toContainEqual(
    expect.objectContaining({ keyword: 'additionalProperties' }),
  );
});
