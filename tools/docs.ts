import fs from 'node:fs';
import { renderConfiguration } from './configuration.ts';

fs.writeFileSync('docs/configuration.md', renderConfiguration());
console.log('wrote docs/configuration.md');
