import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { findLoosePromises } from '../support/faults/loose-promises.ts';
import { temporaryFolder } from '../support/server.ts';

/* An unhandled rejection ends the service. */

const PLANTED = `
declare function act(): Promise<number>;
declare function listen(heard: () => void): void;
declare function each(heard: (value: number) => unknown): void;
declare const maybe: Promise<void> | undefined;

export async function planted(): Promise<void> {
  act(); // loose
  void act(); // loose
  act().then(() => {}); // loose
  act().finally(() => {}); // loose
  listen(() => void act()); // loose
  listen(async () => { await act(); }); // loose
  listen(() => act()); // loose
  void maybe; // loose
  await act();
  act().catch(() => {});
  act().then(() => {}, () => {});
  act().catch(() => {}).finally(() => {});
  void act().catch(() => {});
  listen(() => void act().catch(() => {}));
  each(async () => { await act(); });
  const kept = act();
  await kept;
  let later: Promise<unknown> = Promise.resolve();
  const running = act(); // loose
  const caught = act().catch(() => {});
  listen(() => {
    later = act(); // loose
  });
  each(() => [later, running, caught]);
}
`;

const SOURCES = path.resolve('packages/server/src');
/** Code that runs in other processes. If one of them ends, the service starts a new one. */
const ELSEWHERE = [
  'cli/',
  'ingest/',
  'platform/relay/',
  'relays/files.ts',
  'relays/follow.ts',
  'media/worker/worker.ts',
];

const isOurs = (file: string) =>
  file.startsWith(`${SOURCES}/`) &&
  !/\.test\.ts$|\/testing\//.test(file) &&
  !ELSEWHERE.some((place) => file.startsWith(`${SOURCES}/${place}`));

it('finds the planted faults', () => {
  using folder = temporaryFolder();
  const config = path.join(folder.path, 'tsconfig.json');
  fs.writeFileSync(
    config,
    JSON.stringify({ compilerOptions: { strict: true, target: 'es2024' }, files: ['planted.ts'] }),
  );
  fs.writeFileSync(path.join(folder.path, 'planted.ts'), PLANTED);
  const found = findLoosePromises(config, () => true).map(({ place }) => Number(place.split(':').at(-1)));
  const lines = PLANTED.split('\n').flatMap((line, at) => (line.endsWith('// loose') ? [at + 1] : []));
  expect([...new Set(found)]).toEqual(lines);
});

it('the service has no promise that is neither awaited nor caught', () => {
  const loose = findLoosePromises(path.resolve('packages/server/tsconfig.json'), isOurs);
  expect(loose).toEqual([]);
});
