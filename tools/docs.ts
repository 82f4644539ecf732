import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { renderDrawing, renderRules } from './boundaries.ts';
import { renderConfiguration } from './configuration.ts';

fs.writeFileSync('docs/operate/configuration.md', renderConfiguration());
fs.writeFileSync('biome.json', renderRules(fs.readFileSync('biome.json', 'utf8')));
spawnSync('node_modules/.bin/biome', ['format', '--write', 'biome.json'], { stdio: ['ignore', 'ignore', 'inherit'] });
fs.writeFileSync('ARCHITECTURE.md', renderDrawing(fs.readFileSync('ARCHITECTURE.md', 'utf8')));
console.log('wrote docs/operate/configuration.md, the rules of biome.json and the drawing of ARCHITECTURE.md');
