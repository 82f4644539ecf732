import { html } from 'lit';
import { say } from '../words/owners.ts';
import { dateOf } from '../words.ts';
import { ClientSection } from './section.ts';

/** The terms that apply. Asks the owner to accept them again when they have changed. */
class TermsSection extends ClientSection {
  override render() {
    const { terms } = this.client;
    const hasChanged = terms !== null && terms.version !== this.site.terms.version;
    return html`<section class="card" aria-labelledby="terms">
      <h2 id="terms">${hasChanged ? say('termsChanged') : say('terms')}</h2>
      <p>${this.#renderAccepted(hasChanged)}</p>
      <ul>${this.site.terms.text.map((paragraph) => html`<li>${paragraph}</li>`)}</ul>
      ${this.renderFailed('acceptTerms')} ${this.renderDone()}
      ${
        hasChanged
          ? html`<p><button type="button" aria-disabled=${this.busy} @click=${this.#accept}>${say('acceptNewTerms')}</button></p>`
          : ''
      }
    </section>`;
  }

  #renderAccepted(hasChanged: boolean): string {
    const { terms } = this.client;
    if (terms === null) return say('termsByOperator');
    const date = dateOf(terms.acceptedAt);
    if (!hasChanged) return say('termsAccepted', { date });
    return say('termsAcceptedChanged', { date });
  }

  #accept(): Promise<void> {
    const body = { termsVersion: this.site.terms.version };
    return this.change('acceptTerms', { body }, say('newTermsAccepted'));
  }
}

customElements.define('terms-section', TermsSection);
