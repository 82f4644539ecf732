import { LIMITS } from '@zoetrope/contract';
import type { Client, ProofResult } from '@zoetrope/contract/account';
import { html, nothing, type TemplateResult } from 'lit';
import { fieldsOf } from '../parts/panel.ts';
import { dateOf } from '../words.ts';
import { ClientSection } from './section.ts';

/** The client's registered origins. */
class OriginsSection extends ClientSection {
  override render() {
    const { origins } = this.client;
    return html`<section class="card" aria-labelledby="origins">
      <h2 id="origins">Origins</h2>
      <p>For code that runs in a browser: register the origin of your page, or all subdomains of a domain. If the domain
        names you as its owner (NIP-05: the name <code>_</code> with your pubkey), it is approved immediately. Otherwise an operator reviews it.</p>
      ${this.renderDone()}
      ${
        origins.length === 0
          ? html`<p class="muted">No origins yet.</p>`
          : html`<ul class="rows">${origins.map((origin) => this.#renderOrigin(origin))}</ul>`
      }
      ${this.renderFailed('removeOrigin')} ${this.renderRequests('origin')} ${this.renderRejections('origin')}
      ${
        origins.length >= LIMITS.originsPerClient
          ? html`<p class="muted">You have reached the limit.</p>`
          : this.#renderForm()
      }
    </section>`;
  }

  #renderOrigin({ id: originId, origin, createdAt, proof }: Client['origins'][number]): TemplateResult {
    return html`<li class="row">
      <span class="grow"><code class="long">${origin}</code> <span class="muted">since ${dateOf(createdAt)}${
        proof?.proven ? `, verified by its domain on ${dateOf(proof.checkedAt)}` : nothing
      }</span>${proof && !proof.proven ? renderDoubt(proof) : nothing}</span>
      <button type="button" class="plain" aria-label=${`Remove ${origin}`} aria-disabled=${this.busy}
        @click=${() => this.change('removeOrigin', { path: { originId } }, `${origin} was removed. It stops working within an hour.`)}>
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
      <p class="hint" id="origin-hint">https://app.example, or https://*.app.example for its subdomains</p>
      ${this.renderFailed('addOrigin')}`;
  }

  async #add(event: SubmitEvent): Promise<void> {
    const form = event.currentTarget as HTMLFormElement;
    const before = this.client;
    const { origin } = fieldsOf(event);
    await this.change('addOrigin', { body: { origin } }, `${origin} was added. Its status is shown above.`);
    if (this.client !== before) form.reset();
  }
}

/** Renders a failed check. A failed check does not remove the origin, but asks the owners to fix the problem. */
function renderDoubt({ reason, checkedAt }: ProofResult): TemplateResult {
  return html`<br /><span class="failed">On ${dateOf(checkedAt)} its domain could not be verified: ${reason}. The origin
    still works. Operators are notified if this continues.</span>`;
}

customElements.define('origins-section', OriginsSection);
