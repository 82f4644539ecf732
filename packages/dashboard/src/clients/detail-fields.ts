import type { Client } from '@zoetrope/contract/account';
import { html, type TemplateResult } from 'lit';
import { say } from '../words/owners.ts';

/** Renders form fields for a client's name, description, home page and contact. */
export function detailFields(client: Pick<Client, 'name' | 'description' | 'homePage' | 'contact'>): TemplateResult {
  const { name, description, homePage, contact } = client;
  return html`<p class="field">
      <label for="name">${say('name')}</label>
      <input id="name" name="name" required maxlength="100" .value=${name} autocomplete="off" />
    </p>
    <p class="field">
      <label for="description">${say('whatIsIt')}</label>
      <textarea id="description" name="description" maxlength="500" rows="3" .value=${description}></textarea>
    </p>
    <p class="field">
      <label for="home-page">${say('homePageOptional')}</label>
      <input
        id="home-page"
        name="homePage"
        type="url"
        maxlength="200"
        pattern="https?://.*"
        placeholder="https://"
        .value=${homePage}
      />
    </p>
    <p class="field">
      <label for="contact">${say('contactOptional')}</label>
      <input id="contact" name="contact" maxlength="200" aria-describedby="contact-hint" .value=${contact} />
      <span id="contact-hint" class="hint">${say('contactHint')}</span>
    </p>`;
}
