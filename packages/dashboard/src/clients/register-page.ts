import type { Site } from '@zoetrope/contract/account';
import { html, type TemplateResult } from 'lit';
import { ask } from '../api.ts';
import { go } from '../navigation.ts';
import { fieldsOf, Panel } from '../parts/panel.ts';
import { rich, say } from '../words/owners.ts';
import { detailFields } from './detail-fields.ts';

/** Registers a client after its owner has accepted the terms. */
class RegisterPage extends Panel {
  static override properties = { site: { attribute: false } };
  declare site: Site;
  #name = '';

  override render() {
    const { sats } = this.site.fee;
    return html`<h1>${say('registerClient')}</h1>
      <form class="card" @submit=${this.#register} @input=${this.#preview}>
        ${detailFields({ name: '', description: '', homePage: '', contact: '' })}
        ${this.#renderTerms()}
        ${sats > 0 ? html`<p>${rich('nextIsPayment', { n: sats })}</p>` : ''}
        ${this.renderFailed('register')} ${this.renderDone()}
        <p><button type="submit" aria-disabled=${this.busy}>${sats > 0 ? say('registerAndPay') : say('register')}</button></p>
      </form>`;
  }

  #renderTerms(): TemplateResult {
    const { terms, attribution, operator } = this.site;
    return html`<fieldset>
      <legend>${say('terms')}</legend>
      <ul>${terms.text.map((paragraph) => html`<li>${paragraph}</li>`)}</ul>
      <figure class="preview">
        <figcaption class="muted">${say('preview', { client: this.#name || say('yourClient') })}</figcaption>
        <p class="picker">
          <span aria-hidden="true">${say('searchGifs')}</span>
          <a href=${operator.url} target="_blank" rel="noopener noreferrer">${attribution}</a>
        </p>
      </figure>
      <p><label class="check"><input type="checkbox" name="accepted" required /> ${say('acceptTerms')}</label></p>
    </fieldset>`;
  }

  #preview(event: InputEvent): void {
    const field = event.target as HTMLInputElement;
    if (field.name !== 'name') return;
    this.#name = field.value.trim();
    this.requestUpdate();
  }

  #register(event: SubmitEvent): Promise<void> {
    const { accepted: _, ...details } = fieldsOf(event);
    return this.act('register', async () => {
      const { id, state } = await ask('createClient', { body: { ...details, termsVersion: this.site.terms.version } });
      go(state === 'unpaid' ? `/clients/${id}/pay` : `/clients/${id}`);
      return say('registered');
    });
  }
}

customElements.define('register-page', RegisterPage);
