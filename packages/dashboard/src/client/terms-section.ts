import { html, type TemplateResult } from 'lit';
import { dateOf } from '../words.ts';
import { ClientSection } from './section.ts';

/** The terms that apply. Asks the owner to accept them again when they have changed. */
class TermsSection extends ClientSection {
  override render() {
    const { terms } = this.client;
    const hasChanged = terms !== null && terms.version !== this.site.terms.version;
    return html`<section class="card" aria-labelledby="terms">
      <h2 id="terms">${hasChanged ? 'The terms have changed' : 'Terms'}</h2>
      <p>${this.#renderAccepted(hasChanged)}</p>
      <ul>${this.site.terms.text.map((paragraph) => html`<li>${paragraph}</li>`)}</ul>
      ${this.renderFailed('acceptTerms')} ${this.renderDone()}
      ${
        hasChanged
          ? html`<p><button type="button" aria-disabled=${this.busy} @click=${this.#accept}>Accept the new terms</button></p>`
          : ''
      }
    </section>`;
  }

  #renderAccepted(hasChanged: boolean): TemplateResult {
    const { terms } = this.client;
    if (terms === null) return html`An operator registered this client. These terms apply to it.`;
    const at = dateOf(terms.acceptedAt);
    if (!hasChanged) return html`You accepted these terms on ${at}.`;
    return html`You accepted the terms on ${at}. The terms below apply now. Your client keeps working, and you do not pay again.`;
  }

  #accept(): Promise<void> {
    const body = { termsVersion: this.site.terms.version };
    return this.change('acceptTerms', { body }, 'You accepted the new terms.');
  }
}

customElements.define('terms-section', TermsSection);
