import fs from 'node:fs';
import { expect, test } from 'vitest';
import { parts } from '../support/parts.ts';
import { describeEdge } from './behind.ts';
import { startNginx } from './processes.ts';

describeEdge('nginx', parts.nginx, startNginx, (behind) => {
  test('no API key is stored on disk', async () => {
    const [, key] = behind.key['authorization']!.split(' ');
    const files = fs.globSync(`${behind.edge.folder}/**/*`).filter((file) => fs.statSync(file).isFile());
    expect(files.some((file) => fs.readFileSync(file).includes('KEY: A:'))).toBe(true);
    expect(files.filter((file) => fs.readFileSync(file).includes(key!))).toEqual([]);
  });
});
