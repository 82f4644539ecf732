import fs from 'node:fs';
import path from 'node:path';

const MANIFEST = 'packages/search/src/build/manifest.ts';
/** This folder is linked, not copied, because it is large and does not change. */
const LINKED = 'packages/server/models';

/** Makes a copy of the program that writes and reads builds of a newer format. @returns the path of its main module */
export function makeNewerProgram(folder: string): string {
  const isCopied = (file: string) => !file.endsWith('/node_modules') && file !== LINKED;
  fs.cpSync('packages', path.join(folder, 'packages'), { recursive: true, filter: isCopied });
  link(LINKED, folder);
  link('docs', folder);
  const packages = path.join(folder, 'node_modules', '@zoetrope');
  fs.mkdirSync(packages, { recursive: true });
  for (const name of fs.readdirSync('packages')) {
    fs.symlinkSync(path.join(folder, 'packages', name), path.join(packages, name));
  }
  for (const name of fs.readdirSync('node_modules')) if (name !== '@zoetrope') link(`node_modules/${name}`, folder);
  const manifest = path.join(folder, MANIFEST);
  const text = fs.readFileSync(manifest, 'utf8');
  const newer = text.replace(/FORMAT_VERSION = (\d+)/, (_, version) => `FORMAT_VERSION = ${Number(version) + 1}`);
  if (newer === text) throw new Error(`${MANIFEST} names no format version`);
  fs.writeFileSync(manifest, newer);
  return path.join(folder, 'packages/server/src/main.ts');
}

function link(name: string, folder: string): void {
  fs.symlinkSync(path.resolve(name), path.join(folder, name));
}
