import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { DISCOVERY_API, openApi } from '@zoetrope/contract';
import { describe, expect, it } from 'vitest';
import { parts } from '../support/parts.ts';
import { temporaryFolder } from '../support/server.ts';

const SERVER = 'http://127.0.0.1:8080';
const DESCRIPTIONS = [
  { name: 'openapi', description: openApi(SERVER) },
  { name: 'discovery', description: openApi(SERVER, DISCOVERY_API) },
];
const TOOLS = path.resolve('tools/openapi/node_modules/.bin');

describe.each(DESCRIPTIONS)('the OpenAPI description $name', ({ name, description }) => {
  const GOLDEN = `test/openapi/golden/${name}.json`;
  const text = `${JSON.stringify(description, null, 2)}\n`;

  it('matches its golden file', async () => {
    await expect(text).toMatchFileSnapshot(path.resolve(GOLDEN));
  });

  it.skipIf(!parts.openapiTools)('passes redocly', () => {
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', CI: 'true' };
    const { status, stderr } = spawnSync(`${TOOLS}/redocly`, ['lint', path.resolve(GOLDEN)], { env, encoding: 'utf8' });
    expect(stderr).not.toContain('warning');
    expect(status, stderr).toBe(0);
  });

  it.skipIf(!parts.openapiTools)('passes spectral, and describes every failure as an Error', () => {
    using folder = temporaryFolder();
    const rules = path.join(folder.path, 'rules.yaml');
    const errorRule = [
      'extends: spectral:oas',
      'rules:',
      '  failures-are-errors:',
      '    given: $.paths[*][*].responses[?(@property.match(/^[45]/))].content.application/json.schema',
      '    severity: error',
      '    then: { field: $ref, function: pattern, functionOptions: { match: "#/components/schemas/Error$" } }',
      '    resolved: false',
    ];
    fs.writeFileSync(rules, errorRule.join('\n'));
    const args = ['lint', '--fail-severity=warn', '--ruleset', rules, path.resolve(GOLDEN)];
    const { status, stdout, stderr } = spawnSync(`${TOOLS}/spectral`, args, { encoding: 'utf8' });
    expect(status, stdout + stderr).toBe(0);
  });
});
