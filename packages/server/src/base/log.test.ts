import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';

const LOG = JSON.stringify(import.meta.resolve('./log.ts'));

/**
 * Runs a program in another process. Its standard error is a pipe that nobody reads before the program calls `ready`.
 * @returns the lines in the pipe
 */
async function linesOf(program: string): Promise<string[]> {
  const script = `
    import { writeSync } from 'node:fs';
    import { createGatheringLog, createLog } from ${LOG};
    const ready = () => writeSync(1, 'ready');
    const write = (log, line) => log.write(line, Buffer.byteLength(line));
    ${program}`;
  const flags = ['--conditions=zoetrope', '--input-type=module', '--eval', script];
  const child = spawn(process.execPath, flags, { stdio: ['ignore', 'pipe', 'pipe'] });
  const closed = once(child, 'close');
  await Promise.race([once(child.stdout, 'data'), closed]);
  const written = await text(child.stderr);
  expect(await closed, written).toEqual([0, null]);
  expect(written.endsWith('\n')).toBe(true);
  return written.trimEnd().split('\n');
}

test('lines that do not fit into a pipe are written when somebody reads the pipe', async () => {
  const lines = await linesOf(`
    const log = createGatheringLog();
    for (let n = 0; n < 20_000; n++) write(log, n + ' ' + 'x'.repeat(60) + '\\n');
    ready();
    await log.close();`);
  expect(lines).toEqual(Array.from({ length: 20_000 }, (_, n) => `${n} ${'x'.repeat(60)}`));
});

test('while nobody reads a pipe, only the first megabytes of lines are kept, and no line is cut', async () => {
  const lines = await linesOf(`
    const log = createGatheringLog();
    for (let n = 0; n < 20_000; n++) write(log, n + ' ' + 'x'.repeat(1_000) + '\\n');
    ready();
    await log.close();`);
  const numbers = lines.map((line) => Number(line.split(' ')[0]));
  expect(new Set(lines.map((line) => line.replace(/^\d+/, '')))).toEqual(new Set([` ${'x'.repeat(1_000)}`]));
  expect(numbers.slice(0, 3_000)).toEqual([...Array(3_000).keys()]);
  expect(numbers.length).toBeLessThan(6_000);
});

test('long lines and lines in any alphabet are written whole and in order', async () => {
  const lines = await linesOf(`
    const log = createGatheringLog();
    for (const line of ['short', '猫'.repeat(5_000), 'déjà vu', '🐈', 'x'.repeat(1_000_000), 'last']) write(log, line + '\\n');
    ready();
    await log.close();`);
  expect(lines).toEqual(['short', '猫'.repeat(5_000), 'déjà vu', '🐈', 'x'.repeat(1_000_000), 'last']);
});

test('a message never contains a key or a cookie', async () => {
  const lines = await linesOf(`
    const log = createLog('info');
    const headers = { authorization: 'Bearer swordfish', cookie: 'session=swordfish', accept: 'image/gif' };
    log.info({ headers }, 'one');
    log.info({ req: { headers } }, 'two');
    ready();`);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { msg: 'one', headers: { accept: 'image/gif' } },
    { msg: 'two', req: { headers: { accept: 'image/gif' } } },
  ]);
  expect(lines.join()).not.toContain('swordfish');
});
