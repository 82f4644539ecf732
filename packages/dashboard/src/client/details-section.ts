import { html } from 'lit';
import { detailFields } from '../clients/detail-fields.ts';
import { fieldsOf } from '../parts/panel.ts';
import { rich, say } from '../words/owners.ts';
import { dateOf } from '../words.ts';
import { ClientSection } from './section.ts';

/** The client's name, description and contact. */
class DetailsSection extends ClientSection {
  override render() {
    const { id, createdAt } = this.client;
    return html`<section class="card" aria-labelledby="details">
      <h2 id="details">${say('details')}</h2>
      <p class="muted">${rich('registeredAs', { date: dateOf(createdAt), id: html`<code class="long">${id}</code>` })}</p>
      <form @submit=${this.#save}>
        ${detailFields(this.client)} ${this.renderFailed('changeClient')} ${this.renderDone()}
        <p><button type="submit" aria-disabled=${this.busy}>${say('save')}</button></p>
      </form>
    </section>`;
  }

  #save(event: SubmitEvent): Promise<void> {
    return this.change('changeClient', { body: fieldsOf(event) }, say('saved'));
  }
}

customElements.define('details-section', DetailsSection);
