import { createHash } from 'node:crypto';
import type { Site } from '@zoetrope/contract/account';
import type { Static } from 'typebox';

/** As long as it takes that no two texts have the same. */
const VERSION_LENGTH = 16;

/** What clients agree to. The version is a hash of all that is shown; who agreed to which version is kept. */
export function termsOf(operator: { name: string; url: string }, sats: number): Static<typeof Site>['terms'] {
  const attribution =
    `Wherever these GIFs appear, usually the picker's header, the client shows the text '${attributionOf(operator)}' as a ` +
    `visible, legible, real link to ${operator.url}. The link opens in a new browsing context with ` +
    'rel="noopener noreferrer"; in native apps it opens in the system browser.';
  const originals =
    'Clients link to the original file of a GIF. They do not upload it anew and do not host it themselves.';
  const fee = `Registering a client costs ${sats} sats, once. The fee is not refunded, also when the client is deleted.`;
  const text = sats === 0 ? [attribution, originals] : [attribution, originals, fee];
  const shown = JSON.stringify({ text, operator: { name: operator.name, url: operator.url }, sats });
  return { version: createHash('sha256').update(shown).digest('hex').slice(0, VERSION_LENGTH), text };
}

/** The line that clients show. */
export function attributionOf({ name }: { name: string }): string {
  return `GIFs from ${name}`;
}
