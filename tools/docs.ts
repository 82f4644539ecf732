import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { renderDrawing, renderRules } from './boundaries.ts';
import { renderConfiguration } from './configuration.ts';
import { renderOperatorsApi } from './operators-api.ts';

fs.writeFileSync('docs/operate/configuration.md', renderConfiguration());
fs.writeFileSync('docs/operate/api.md', renderOperatorsApi());
fs.writeFileSync('tools/boundaries.json', renderRules());
spawnSync('node_modules/.bin/biome', ['format', '--write', 'tools/boundaries.json'], {
  stdio: ['ignore', 'ignore', 'inherit'],
});
fs.writeFileSync('ARCHITECTURE.md', renderDrawing(fs.readFileSync('ARCHITECTURE.md', 'utf8')));
console.log('wrote docs/operate/configuration.md and api.md, tools/boundaries.json and the drawing of ARCHITECTURE.md');
