import type { Site } from '@zoetrope/contract/account';
import type { Static } from 'typebox';

/** What clients agree to. The version changes with the sense of the words; who agreed to which is kept. */
export function termsOf(operator: { name: string; url: string }, sats: number): Static<typeof Site>['terms'] {
  const attribution =
    `Wherever these GIFs appear, usually the picker's header, the client shows the text '${attributionOf(operator)}' as a ` +
    `visible, legible, real link to ${operator.url}. The link opens in a new browsing context with ` +
    'rel="noopener noreferrer"; in native apps it opens in the system browser.';
  const originals =
    'Clients link to the original file of a GIF. They do not upload it anew and do not host it themselves.';
  const fee = `Registering a client costs ${sats} sats, once. The fee is not refunded, also when the client is deleted.`;
  return { version: '1', text: sats === 0 ? [attribution, originals] : [attribution, originals, fee] };
}

/** The line that clients show. */
export function attributionOf({ name }: { name: string }): string {
  return `GIFs from ${name}`;
}
