import { LIMITS } from '@zoetrope/contract';
import type { Client, ProofResult } from '@zoetrope/contract/account';
import { html, nothing, type TemplateResult } from 'lit';
import { dateOf, stopsWorking } from '../../words.ts';
import { OriginFormSection } from './origin-form.ts';

/** The client's registered origins. */
class OriginsSection extends OriginFormSection {
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
          : this.renderOriginForm()
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
