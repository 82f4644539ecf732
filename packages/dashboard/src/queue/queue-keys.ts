import { html } from 'lit';
import { Panel } from '../parts/panel.ts';
import { say } from '../words/operators.ts';
import { areKeysOn, KEYS, switchKeys } from './keys.ts';

/** The dialog that lists the keys of the queue. */
export class QueueKeys extends Panel {
  override render() {
    return html`<dialog aria-labelledby="keys-title">
      <h2 id="keys-title">${say('keyboard')}</h2>
      <dl class="keys">${KEYS.map((key) => html`<dt><kbd>${key}</kbd></dt><dd>${say(`key_${key}`)}</dd>`)}</dl>
      <p><label class="check"><input type="checkbox" .checked=${areKeysOn()} @change=${switchFrom} /> ${say('singleKeys')}</label></p>
      <form method="dialog"><button type="submit" class="plain">${say('close')}</button></form>
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
