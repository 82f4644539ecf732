import { execFileSync } from 'node:child_process';
import fs from 'node:fs';

/** Packs the archives that apps install, exactly as npm would publish them: `npm run pack [FOLDER]`. */

const PUBLISHED = ['client', 'picker'];

const [folder = 'dist'] = process.argv.slice(2);
fs.mkdirSync(folder, { recursive: true });
execFileSync('node_modules/.bin/tsc', ['-b', 'packages/picker'], { stdio: 'inherit' });
const workspaces = PUBLISHED.flatMap((name) => ['-w', `packages/${name}`]);
execFileSync('npm', ['pack', '--silent', '--pack-destination', folder, ...workspaces], { stdio: 'inherit' });
