import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const SOURCE = 'packages/search/wasm/kernels.ts';
const TARGET = 'packages/search/src/vectors/kernels-wasm.ts';
const COMPILER = 'tools/wasm/node_modules/assemblyscript/bin/asc.js';

/** The module that `packages/search/wasm` compiles to, as the source file that is committed. */
export function compileKernels(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-wasm-'));
  const out = path.join(folder, 'kernels.wasm');
  const memory = ['--importMemory', '--sharedMemory', '--initialMemory', '1', '--maximumMemory', '65536'];
  const flags = ['--enable', 'simd,threads', ...memory, '--runtime', 'stub', '--noAssert', '-O3', '--outFile', out];
  const { status, stderr } = spawnSync(process.execPath, [COMPILER, SOURCE, ...flags], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${stderr}\nis it installed? npm ci --prefix tools/wasm`);
  const base64 = fs.readFileSync(out).toString('base64');
  fs.rmSync(folder, { recursive: true });
  const lines = base64.match(/.{1,100}/g)!.map((line) => `  '${line}',`);
  return `/** The bytes of wasm/kernels.ts, base64. Made by tools/wasm.ts; do not edit. */\nexport const KERNELS: string = [\n${lines.join('\n')}\n].join('');\n`;
}

if (import.meta.main) fs.writeFileSync(TARGET, compileKernels());
