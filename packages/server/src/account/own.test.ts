import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../platform/db/index.ts';
import { tables } from '../registry/index.ts';
import { Browser } from './testing/browser.ts';
import { PUBLIC_URL, startDashboard, TERMS_VERSION } from './testing/service.ts';

test('the audit log distinguishes actions of owners from actions of operators, because only old entries of owners are removed', async () => {
  const db = openDatabase(':memory:');
  onTestFinished(() => db.destroy());
  const admins = new Set<string>();
  const service = await startDashboard(db, { admins });
  onTestFinished(() => service.stop());
  const [owner, operator] = [new Browser(service.url, PUBLIC_URL), new Browser(service.url, PUBLIC_URL)];
  for (const person of [owner, operator]) await person.signIn();
  admins.add(operator.pubkey);
  const details = { name: 'Wisp', description: '', homePage: '', contact: '', termsVersion: TERMS_VERSION };
  const { id } = (await owner.ask('POST /clients', details)).body;
  await operator.ask(`POST /review/clients/${id}/suspend`, { reason: 'No attribution' });
  expect(await tables(db).selectFrom('audit').select(['action', 'byOwner']).orderBy('revision').execute()).toEqual([
    { action: 'client create', byOwner: 1 },
    { action: 'client suspend', byOwner: 0 },
  ]);
});
