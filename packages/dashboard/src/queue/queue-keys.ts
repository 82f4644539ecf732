import { html } from 'lit';
import { Panel } from '../parts/panel.ts';
import { areKeysOn, KEYS, switchKeys } from './keys.ts';

/** The dialog that lists the keys of the queue. */
export class QueueKeys extends Panel {
  override render() {
    return html`<dialog aria-labelledby="keys-title">
      <h2 id="keys-title">Keys</h2>
      <dl class="keys">${Object.entries(KEYS).map(([key, does]) => html`<dt><kbd>${key}</kbd></dt><dd>${does}</dd>`)}</dl>
      <p><label class="check"><input type="checkbox" .checked=${areKeysOn()} @change=${switchFrom} />
        Single keys work on this page</label></p>
      <form method="dialog"><button type="submit" class="plain">Close</button></form>
    </dialog>`;
  }

  show(): void {
    this.querySelector('dialog')?.showModal();
  }
}

function switchFrom(event: Event): void {
  switchKeys((event.target as HTMLInputElement).checked);
}

customElements.define('queue-keys', QueueKeys);
