import { html, nothing } from 'lit';
import { ask } from '../api.ts';
import { go } from '../navigation.ts';
import { fieldsOf } from '../parts/panel.ts';
import { stopsWorking } from '../words.ts';
import { ClientSection } from './section.ts';

/** Deletes a client permanently. */
class DeleteSection extends ClientSection {
  #typed = '';

  override render() {
    const { name } = this.client;
    return html`<section class="card danger" aria-labelledby="delete">
      <h2 id="delete">Delete</h2>
      <p>Deleting “${name}” cannot be undone:</p>
      <ul>
        <li>requests from its origins, keys and user agents are refused ${stopsWorking(this.site)}</li>
        <li>it disappears from the lists of all its owners</li>
        ${this.site.fee.sats > 0 ? html`<li>the fee is not refunded; registering it again costs the fee again</li>` : nothing}
      </ul>
      <form class="inline" @submit=${this.#delete}>
        <label for="delete-name">Type its name to confirm</label>
        <input id="delete-name" name="name" required autocomplete="off" @input=${this.#type} />
        <button type="submit" class="danger" ?disabled=${this.#typed !== name}>Delete permanently</button>
      </form>
      ${this.renderFailed('delete')} ${this.renderDone()}
    </section>`;
  }

  #type(event: InputEvent): void {
    this.#typed = (event.target as HTMLInputElement).value.trim();
    this.requestUpdate();
  }

  #delete(event: SubmitEvent): Promise<void> {
    const { name } = fieldsOf(event);
    return this.act('delete', async () => {
      await ask('deleteClient', { path: { clientId: this.client.id }, body: { name: name! } });
      go('/');
      return 'Deleted.';
    });
  }
}

customElements.define('delete-section', DeleteSection);
