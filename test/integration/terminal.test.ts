import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { endProcess } from '../../packages/server/src/platform/testing/end-process.ts';
import { writeTwo } from '../support/catalogues.ts';
import { prepareData } from '../support/prepared-data.ts';
import { DEVELOPMENT, freePort, programCommand, temporaryFolder } from '../support/server.ts';

/** This program runs a command on a separate terminal, and writes the terminal's output to standard output. */
const TERMINAL = '/usr/bin/script';
const SOON = { timeout: 480_000, interval: 50 };

/** Returns the output on a terminal while a service responds to a search. */
async function seen(...options: string[]): Promise<string> {
  using folder = temporaryFolder();
  await prepareData(inject('prepared'), folder.path, writeTwo);
  const port = await freePort();
  const command = programCommand(['serve', ...options]).map((part) => `'${part}'`);
  const child = spawn(TERMINAL, ['-qefc', `exec ${command.join(' ')}`, '/dev/null'], {
    env: {
      ...process.env,
      ZOETROPE_DATA: path.join(folder.path, 'data'),
      ZOETROPE_PORT: `${port}`,
      ZOETROPE_EMBEDDER: 'none',
      ZOETROPE_LINKED_PROBE: 'off',
      ZOETROPE_STARTER: 'off',
      ZOETROPE_THREADS: '1',
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => endProcess(child, 'SIGKILL'));
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  await vi.waitFor(() => expect(text).toContain('dashboard'), SOON);
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/search?q=cat`, { headers: DEVELOPMENT });
  expect(answer.status).toBe(200);
  if (options.length > 0) await vi.waitFor(() => expect(text).toContain('request '), SOON);
  const closed = once(child, 'close');
  // This has the same effect as Ctrl-C at the terminal.
  child.stdin.write('\u0003');
  await closed;
  return text;
}

test.skipIf(!fs.existsSync(TERMINAL))(
  'a terminal shows short lines, and each request only if that is wanted',
  async () => {
    const [usual, verbose] = await Promise.all([seen(), seen('--verbose')]);
    expect(usual).toMatch(
      /^Zoetrope searches 2 GIFs\r\n {2}page +http:\S+\r\n {2}API +\S+\r\n {2}dashboard +\S+\r\nNobody operates this service yet\. .+\r\n(?:\^C)?$/,
    );
    expect(verbose).toMatch(/^\d\d:\d\d:\d\d info +request route=\/api\/v1\/search status=200 /m);
    expect(verbose).not.toContain('{');
  },
);
