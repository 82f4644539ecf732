import type { Site } from '@zoetrope/contract/account';
import { html, nothing } from 'lit';
import { dateOf } from '../words.ts';
import { ClientSection } from './section.ts';

/** Asks the owner to accept the terms again when the terms have changed. */
class TermsSection extends ClientSection {
  static override properties = { ...ClientSection.properties, site: { attribute: false } };
  declare site: Site;

  override render() {
    const { terms } = this.client;
    const hasChanged = terms !== null && terms.version !== this.site.terms.version;
    return html`${hasChanged ? this.#renderTerms(terms.acceptedAt) : nothing} ${this.renderDone()}`;
  }

  #renderTerms(acceptedAt: number) {
    return html`<section class="card" aria-labelledby="terms">
      <h2 id="terms">The terms have changed</h2>
      <p>You accepted the terms on ${dateOf(acceptedAt)}. The terms below apply now. Your client keeps working, and you do not
        pay again.</p>
      <ul>${this.site.terms.text.map((paragraph) => html`<li>${paragraph}</li>`)}</ul>
      ${this.renderFailed('acceptTerms')}
      <p><button type="button" aria-disabled=${this.busy} @click=${this.#accept}>Accept the new terms</button></p>
    </section>`;
  }

  #accept(): Promise<void> {
    const body = { termsVersion: this.site.terms.version };
    return this.change('acceptTerms', { body }, 'You accepted the new terms.');
  }
}

customElements.define('terms-section', TermsSection);
