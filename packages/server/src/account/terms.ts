import { createHash } from 'node:crypto';
import type { Site } from '@zoetrope/contract/account';
import type { Static } from 'typebox';
import { ServiceError } from '../base/errors.ts';
import type { Database } from '../platform/db/index.ts';
import { tables } from './tables.ts';

/** Number of characters of a version. With this length, no two texts get the same version. */
const VERSION_LENGTH = 16;

interface Operator {
  name: string;
  url: string;
}

type Terms = Static<typeof Site>['terms'];

/**
 * Returns the terms for clients. The version is a hash of the whole shown text. Accepted versions are stored for each
 * client.
 */
export function termsOf(operator: Operator, sats: number): Terms {
  const attribution =
    `Wherever these GIFs appear, usually the picker's header, the client shows the text '${attributionOf(operator)}' as a ` +
    `visible, legible, real link to ${operator.url}. The link opens in a new browsing context with ` +
    'rel="noopener noreferrer"; in native apps it opens in the system browser.';
  const originals =
    'Clients link to the original file of a GIF. They do not upload it anew and do not host it themselves.';
  const fee = `Registering a client costs ${sats} sats, once. The fee is not refunded, also when the client is deleted.`;
  const text = sats === 0 ? [attribution, originals] : [attribution, originals, fee];
  const shown = shownAs(text, operator, sats);
  return { version: createHash('sha256').update(shown).digest('hex').slice(0, VERSION_LENGTH), text };
}

/** Returns the whole shown content of the terms, as JSON. The version of the terms is a hash of this text. */
function shownAs(text: string[], { name, url }: Operator, sats: number): string {
  return JSON.stringify({ text, operator: { name, url }, sats });
}

/**
 * Stores the terms that somebody is about to accept, so that this text can still be read after the terms have changed.
 * @throws ServiceError `conflict` if the version is not the current version
 */
export async function storeTerms(db: Database, operator: Operator, sats: number, version: string): Promise<void> {
  const terms = termsOf(operator, sats);
  if (version !== terms.version) {
    throw new ServiceError('conflict', 'The terms have changed: reload the page and read them');
  }
  await tables(db)
    .insertInto('terms')
    .values({ version, shown: shownAs(terms.text, operator, sats) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Returns the attribution line that clients must show. */
export function attributionOf({ name }: { name: string }): string {
  return `GIFs from ${name}`;
}
