import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { packService } from './archive/service.ts';

/**
 * Packs the archives that people install. They are exactly like those that npm would publish: `npm run pack [FOLDER
 * [NAME ...]]`.
 */

const LIBRARIES = ['client', 'picker'];
const SERVICE = 'service';

const [folder = 'dist', ...chosen] = process.argv.slice(2);
const names = chosen.length > 0 ? chosen : [...LIBRARIES, SERVICE];
fs.mkdirSync(folder, { recursive: true });
const workspaces = LIBRARIES.filter((name) => names.includes(name)).flatMap((name) => ['-w', `packages/${name}`]);
if (workspaces.length > 0) {
  execFileSync('node_modules/.bin/tsc', ['-b', 'packages/picker'], { stdio: 'inherit' });
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder, ...workspaces], { stdio: 'inherit' });
}
if (names.includes(SERVICE)) packService(folder);
