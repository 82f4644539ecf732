import { html, type TemplateResult } from 'lit';
import { ask } from '../../api.ts';
import { fieldsOf } from '../../parts/panel.ts';
import { rich, say } from '../../words/owners.ts';
import { ClientSection } from '../section.ts';
import { type ReadOrigin, readOrigin } from './read-origin.ts';

/** A section with a form that adds an origin. */
export abstract class OriginFormSection extends ClientSection {
  #typed = '';

  protected renderOriginForm(): TemplateResult {
    return html`<form class="fields" @submit=${this.#add}>
        <p class="field"><label for="origin">${say('origin')}</label>
        <input id="origin" name="origin" required maxlength="300" placeholder="https://app.example" autocomplete="off"
          autocapitalize="none" spellcheck="false" inputmode="url" aria-describedby="origin-hint" @input=${this.#type} /></p>
        <button type="submit" aria-disabled=${this.busy}>${say('addOrigin')}</button>
      </form>
      <p class="hint" id="origin-hint" role="status">${
        this.#typed === '' ? rich('originHint') : renderRead(readOrigin(this.#typed))
      }</p>
      ${this.renderFailed('addOrigin')}`;
  }

  #type(event: InputEvent): void {
    this.#typed = (event.target as HTMLInputElement).value.trim();
    this.requestUpdate();
  }

  /**
   * Sends the origin as it was understood. For any other input, the hint below the field explains why it is not sent.
   */
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
      return isApproved ? say('originVerified', { origin }) : say('originWaits', { origin });
    });
  }
}

function renderRead(read: ReadOrigin): unknown {
  if (read.kind === 'origin') {
    const origin = html`<code class="long">${read.origin}</code>`;
    return rich(read.origin.includes('*') ? 'addsWildcard' : 'adds', { origin });
  }
  if (read.kind === 'local') {
    return say('originLocal');
  }
  if (read.kind === 'insecure') {
    return rich('originInsecure', { origin: html`<code class="long">${read.origin}</code>` });
  }
  if (read.kind === 'app') {
    return rich('originOfApps', {
      scheme: html`<code>${read.scheme}://</code>`,
      link: (text) => html`<a href="#key-name">${text}</a>`,
    });
  }
  return say('originUnclear');
}
