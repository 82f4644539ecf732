import { LIMITS } from '@zoetrope/contract';
import type { Client, ProofResult } from '@zoetrope/contract/account';
import { html, nothing, type TemplateResult } from 'lit';
import { rich, say } from '../../words/owners.ts';
import { dateOf, stopsWorking } from '../../words.ts';
import { OriginFormSection } from './origin-form.ts';

/** The client's registered origins. */
class OriginsSection extends OriginFormSection {
  override render() {
    const { origins } = this.client;
    return html`<section class="card" aria-labelledby="origins">
      <h2 id="origins">${say('origins')}</h2>
      <p>${rich('originsIntro', { review: this.renderReviewer('Others') })}</p>
      ${this.renderDone()}
      ${
        origins.length === 0
          ? html`<p class="muted">${say('noOrigins')}</p>`
          : html`<ul class="rows">${origins.map((origin) => this.#renderOrigin(origin))}</ul>`
      }
      ${this.renderFailed('removeOrigin')} ${this.renderRequests('origin')} ${this.renderRejections('origin')}
      ${
        origins.length >= LIMITS.originsPerClient
          ? html`<p class="muted">${say('limitReached')}</p>`
          : this.renderOriginForm()
      }
    </section>`;
  }

  #renderOrigin({ id: originId, origin, createdAt, proof }: Client['origins'][number]): TemplateResult {
    return html`<li class="row">
      <span class="grow"><code class="long">${origin}</code> ${renderState(proof)}
        <span class="told">${
          proof?.proven
            ? say('sinceChecked', { date: dateOf(createdAt), checked: dateOf(proof.checkedAt) })
            : say('since', { date: dateOf(createdAt) })
        }</span>${proof && !proof.proven ? renderDoubt(proof) : nothing}</span>
      <confirm-button .label=${say('remove')} .subject=${origin} .action=${say('removeOrigin')} .busy=${this.busy}
        .consequence=${say('originRemoval', { soon: stopsWorking(this.site) })}
        @confirmed=${() => this.change('removeOrigin', { path: { originId } }, say('removed', { value: origin }))}></confirm-button>
    </li>`;
  }
}

function renderState(proof: ProofResult | null): TemplateResult {
  if (proof === null) return html`<span class="state" data-state="approved">${say('approved')}</span>`;
  if (proof.proven) return html`<span class="state" data-state="approved">${say('verified')}</span>`;
  return html`<span class="state" data-state="rejected">${say('checkFailed')}</span>`;
}

/** Renders a failed check. A failed check does not remove the origin, but asks the owners to fix the problem. */
function renderDoubt({ reason, checkedAt }: ProofResult): TemplateResult {
  return html`<span class="told failed">${say('notVerified', { date: dateOf(checkedAt), reason })}</span>`;
}

customElements.define('origins-section', OriginsSection);
