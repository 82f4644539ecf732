import { LIMITS } from '@zoetrope/contract';
import type { Client, ProofResult } from '@zoetrope/contract/account';
import { html, nothing, type TemplateResult } from 'lit';
import { fieldsOf } from '../parts/panel.ts';
import { dateOf } from '../words.ts';
import { ClientSection } from './section.ts';

/** The origins of pages that are let in. */
class OriginsSection extends ClientSection {
  override render() {
    const { origins } = this.client;
    return html`<section class="card" aria-labelledby="origins">
      <h2 id="origins">Origins</h2>
      <p>For code that runs in a browser: the origin of your page, or of all subdomains of a domain. If the domain proves that it
        is yours (NIP-05, the name <code>_</code> with your pubkey), it is let in at once; otherwise an operator looks at it.</p>
      ${this.renderDone()}
      ${
        origins.length === 0
          ? html`<p class="muted">No origin yet.</p>`
          : html`<ul class="rows">${origins.map((origin) => this.#renderOrigin(origin))}</ul>`
      }
      ${this.renderFailed('removeOrigin')} ${this.renderRequests('origin')} ${this.renderRejections('origin')}
      ${
        origins.length >= LIMITS.originsPerClient
          ? html`<p class="muted">That is as many as a client may have.</p>`
          : this.#renderForm()
      }
    </section>`;
  }

  #renderOrigin({ id: originId, origin, createdAt, proof }: Client['origins'][number]): TemplateResult {
    return html`<li class="row">
      <span class="grow"><code class="long">${origin}</code> <span class="muted">since ${dateOf(createdAt)}${
        proof?.proven ? `, proven by its domain, asked on ${dateOf(proof.checkedAt)}` : nothing
      }</span>${proof && !proof.proven ? renderDoubt(proof) : nothing}</span>
      <button type="button" class="plain" aria-label=${`Remove ${origin}`} aria-disabled=${this.busy}
        @click=${() => this.change('removeOrigin', { path: { originId } }, `${origin} was removed; it may work for an hour more.`)}>
        Remove
      </button>
    </li>`;
  }

  #renderForm(): TemplateResult {
    return html`<form class="inline" @submit=${this.#add}>
        <label for="origin">Origin</label>
        <input id="origin" name="origin" required maxlength="300" placeholder="https://app.example" autocomplete="off"
          spellcheck="false" aria-describedby="origin-hint" />
        <button type="submit" aria-disabled=${this.busy}>Add origin</button>
      </form>
      <p class="hint" id="origin-hint">https://app.example, or https://*.app.example for its subdomains.</p>
      ${this.renderFailed('addOrigin')}`;
  }

  async #add(event: SubmitEvent): Promise<void> {
    const form = event.currentTarget as HTMLFormElement;
    const before = this.client;
    const { origin } = fieldsOf(event);
    await this.change('addOrigin', { body: { origin } }, `${origin} was added; see above how it stands.`);
    if (this.client !== before) form.reset();
  }
}

/** The origin stays; what is wrong is for its owners to mend. */
function renderDoubt({ reason, checkedAt }: ProofResult): TemplateResult {
  return html`<br /><span class="failed">On ${dateOf(checkedAt)} its domain did not prove it any more: ${reason}. It is still
    let in; operators see when this goes on.</span>`;
}

customElements.define('origins-section', OriginsSection);
