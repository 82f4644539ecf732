import type { Client } from '@zoetrope/contract/account';
import { html, type TemplateResult } from 'lit';

/** Renders form fields for a client's name, description, home page and contact. */
export function detailFields(client: Pick<Client, 'name' | 'description' | 'homePage' | 'contact'>): TemplateResult {
  const { name, description, homePage, contact } = client;
  return html`<p class="field">
      <label for="name">Name</label>
      <input id="name" name="name" required maxlength="100" .value=${name} autocomplete="off" />
    </p>
    <p class="field">
      <label for="description">What is it, and who uses it?</label>
      <textarea id="description" name="description" maxlength="500" rows="3" .value=${description}></textarea>
    </p>
    <p class="field">
      <label for="home-page">Home page (optional)</label>
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
      <label for="contact">Contact (optional)</label>
      <input id="contact" name="contact" maxlength="200" aria-describedby="contact-hint" .value=${contact} />
      <span id="contact-hint" class="hint">How operators can reach you. Only they see it.</span>
    </p>`;
}
