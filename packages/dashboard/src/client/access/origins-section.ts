import { LIMITS } from '@zoetrope/contract';
import type { Client, ProofResult } from '@zoetrope/contract/account';
import { html, nothing, type TemplateResult } from 'lit';
import { fieldsOf } from '../../parts/panel.ts';
import { dateOf, stopsWorking } from '../../words.ts';
import { ClientSection } from '../section.ts';
import { type ReadOrigin, readOrigin } from './read-origin.ts';

/** The client's registered origins. */
class OriginsSection extends ClientSection {
  #typed = '';

  override render() {
    const { origins } = this.client;
    return html`<section class="card" aria-labelledby="origins">
      <h2 id="origins">Origins</h2>
      <p>For web pages. An origin whose domain names you as its owner (NIP-05: the name <code>_</code> with your pubkey) is
        approved immediately. ${this.renderReviewer('the others')} Pages at <code>localhost</code> need no origin.</p>
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
      <span class="grow"><code class="long">${origin}</code> ${renderState(proof)}
        <span class="told">Since ${dateOf(createdAt)}${
          proof?.proven ? `, its domain was last checked on ${dateOf(proof.checkedAt)}` : nothing
        }</span>${proof && !proof.proven ? renderDoubt(proof) : nothing}</span>
      <confirm-button .label=${'Remove'} .subject=${origin} .action=${'Remove origin'} .busy=${this.busy}
        .consequence=${`Its pages can no longer search GIFs: they are refused ${stopsWorking(this.site)}.`}
        @confirmed=${() => this.change('removeOrigin', { path: { originId } }, `${origin} was removed.`)}></confirm-button>
    </li>`;
  }

  #renderForm(): TemplateResult {
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
    const before = this.client;
    await this.change(
      'addOrigin',
      { body: { origin: read.origin } },
      `${read.origin} was added. Its status is shown below.`,
    );
    if (this.client === before) return;
    form.reset();
    this.#typed = '';
    this.requestUpdate();
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

function renderState(proof: ProofResult | null): TemplateResult {
  if (proof === null) return html`<span class="state" data-state="approved">approved</span>`;
  if (proof.proven) return html`<span class="state" data-state="approved">verified</span>`;
  return html`<span class="state" data-state="rejected">check failed</span>`;
}

/** Renders a failed check. A failed check does not remove the origin, but asks the owners to fix the problem. */
function renderDoubt({ reason, checkedAt }: ProofResult): TemplateResult {
  return html`<span class="told failed">On ${dateOf(checkedAt)} its domain could not be verified: ${reason}. The origin
    still works. Operators are notified if this continues.</span>`;
}

customElements.define('origins-section', OriginsSection);
