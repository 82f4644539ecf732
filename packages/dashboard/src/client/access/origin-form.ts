import { html, nothing, type TemplateResult } from 'lit';
import { ask } from '../../api.ts';
import { fieldsOf } from '../../parts/panel.ts';
import { ClientSection } from '../section.ts';
import { type ReadOrigin, readOrigin } from './read-origin.ts';

/** A section with a form that adds an origin. */
export abstract class OriginFormSection extends ClientSection {
  #typed = '';

  protected renderOriginForm(): TemplateResult {
    return html`<form class="fields" @submit=${this.#add}>
        <p class="field"><label for="origin">Origin</label>
        <input id="origin" name="origin" required maxlength="300" placeholder="https://app.example" autocomplete="off"
          autocapitalize="none" spellcheck="false" inputmode="url" aria-describedby="origin-hint" @input=${this.#type} /></p>
        <button type="submit" aria-disabled=${this.busy}>Add origin</button>
      </form>
      <p class="hint" id="origin-hint" role="status">${
        this.#typed === ''
          ? html`https://app.example, or https://*.app.example for its subdomains`
          : renderRead(readOrigin(this.#typed))
      }</p>
      ${this.renderFailed('addOrigin')}`;
  }

  #type(event: InputEvent): void {
    this.#typed = (event.target as HTMLInputElement).value.trim();
    this.requestUpdate();
  }

  /** Sends the origin as it was understood. The hint below the field says why another input is not sent. */
  async #add(event: SubmitEvent): Promise<void> {
    const form = event.currentTarget as HTMLFormElement;
    const read = readOrigin(fieldsOf(event)['origin']!);
    if (read.kind !== 'origin') return form.querySelector('input')!.focus();
    const { origin } = read;
    await this.act('addOrigin', async () => {
      const client = await ask('addOrigin', { path: { clientId: this.client.id }, body: { origin } });
      this.changed(client);
      form.reset();
      this.#typed = '';
      const isApproved = client.origins.some((own) => own.origin === origin);
      return isApproved ? `${origin} was added and verified.` : `${origin} was added. It waits for a review.`;
    });
  }
}

function renderRead(read: ReadOrigin): TemplateResult {
  if (read.kind === 'origin') {
    const isWildcard = read.origin.includes('*');
    return html`Adds <code class="long">${read.origin}</code>${isWildcard ? ': all its subdomains, but not the domain itself' : nothing}.`;
  }
  if (read.kind === 'local') {
    return html`Pages on your own machine need no registration: they share one budget of requests with all developers. Add
      the origin at which others will open your page.`;
  }
  if (read.kind === 'insecure') {
    return html`Only pages with https can be added. If yours is also at <code class="long">${read.origin}</code>, type that.`;
  }
  if (read.kind === 'app') {
    return html`<code>${read.scheme}://</code> cannot be added, because the pages of many apps have it.
      <a href="#key-name">Use an API key</a>.`;
  }
  return html`Type a full domain name, such as https://app.example. IP addresses cannot be added.`;
}
