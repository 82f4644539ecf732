import { html, nothing } from 'lit';
import { ask } from '../api.ts';
import { go } from '../navigation.ts';
import { fieldsOf } from '../parts/panel.ts';
import { say } from '../words/owners.ts';
import { stopsWorking } from '../words.ts';
import { ClientSection } from './section.ts';

/** Deletes a client permanently. */
class DeleteSection extends ClientSection {
  #typed = '';

  override render() {
    const { name } = this.client;
    return html`<section class="card danger" aria-labelledby="delete">
      <h2 id="delete">${say('delete')}</h2>
      <p>${say('deleteIntro', { name })}</p>
      <ul>
        <li>${say('deleteRefused', { soon: stopsWorking(this.site) })}</li>
        <li>${say('deleteOwners')}</li>
        ${this.site.fee.sats > 0 ? html`<li>${say('deleteFee')}</li>` : nothing}
      </ul>
      <form class="inline" @submit=${this.#delete}>
        <label for="delete-name">${say('deleteName')}</label>
        <input id="delete-name" name="name" required autocomplete="off" @input=${this.#type} />
        <button type="submit" class="danger" ?disabled=${this.#typed !== name}>${say('deleteForever')}</button>
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
      return say('deleted');
    });
  }
}

customElements.define('delete-section', DeleteSection);
