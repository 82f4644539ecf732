import fs from 'node:fs';
import path from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { blocksGif } from '../support/catalogue.ts';
import { parts } from '../support/parts.ts';
import { type Server, startServer, zoetrope } from '../support/server.ts';

/** A host name that resolves to this machine. */
export const ELSEWHERE = 'client.example';
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  // With this flag, letters look the same on every machine.
  '--font-render-hinting=none',
  '--disable-lcd-text',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** @param names host names that resolve to this machine */
export function launchBrowser(names = ELSEWHERE): Promise<Browser> {
  const args = [...FLAGS, `--host-resolver-rules=MAP ${names} 127.0.0.1`];
  return chromium.launch({ executablePath: parts.chromium!, args });
}

/** Number of GIFs for "gm". It is higher than the number that the search page shows at first. */
export const MORNINGS = 60;
export const FIRES = 7;
export const HOSTILE = [
  '<script>document.title = "taken"</script>',
  '"><img src=x onerror="document.title = 1">',
  "' onmouseover='document.title = 2",
  '&lt;b&gt; </title></li></ul>',
];

interface Tile {
  file: string;
  title: string;
  tags: string[];
}

function* tiles(mornings: number): Generator<Tile> {
  for (let n = 0; n < mornings; n++) yield { file: `${n}.gif`, title: `gm ${n}`, tags: ['gm'] };
  for (let n = 0; n < FIRES; n++) yield { file: `f${n}.gif`, title: `fire ${n}`, tags: ['fire'] };
  for (const [n, text] of HOSTILE.entries()) {
    // Manifests escape an ampersand like HTML.
    yield { file: `h${n}.gif`, title: text.replaceAll('&', '&amp;'), tags: ['hostile'] };
  }
}

/** Returns a GIF of rising blocks with transparent gaps. Each seed gives another size. */
function blocks(seed: number): Uint8Array {
  const width = 90 + ((seed * 67) % 331);
  const height = 90 + ((seed * 41) % 211);
  return blocksGif({ width, height, delays: [10, 10, 10, 10], seed, transparent: 0 });
}

export interface Catalogue {
  /** Number of GIF files for "gm". */
  mornings: number;
  /** Manifest lines of linked GIFs. */
  linked: readonly object[];
}

/** Serves GIFs of many shapes. */
export async function servePage(
  folder: string,
  env: Record<string, string>,
  { mornings, linked }: Catalogue = { mornings: MORNINGS, linked: [] },
): Promise<Server> {
  const gifs = [...tiles(mornings)];
  for (const [seed, { file }] of gifs.entries()) fs.writeFileSync(path.join(folder, file), blocks(seed));
  const lines = [...gifs, ...linked].map((row) => JSON.stringify(row)).join('\n');
  const manifest = path.join(folder, 'tiles.jsonl');
  fs.writeFileSync(manifest, `${lines}\n`);
  const data = path.join(folder, 'data');
  const { code, stderr } = await zoetrope(data, ['add', '--quiet', manifest], env);
  if (code !== 0) throw new Error(stderr);
  return startServer(data, { ZOETROPE_THREADS: '1', ...env });
}
