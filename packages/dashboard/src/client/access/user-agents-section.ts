import { LIMITS } from '@zoetrope/contract';
import { html, type TemplateResult } from 'lit';
import { fieldsOf } from '../../parts/panel.ts';
import { rich, say } from '../../words/owners.ts';
import { dateOf, stopsWorking } from '../../words.ts';
import { ClientSection } from '../section.ts';

const EXAMPLES = ['MyApp/*', 'MyApp/* (Android)', 'myapp-bot/1.*'];

/** The client's registered User-Agent patterns. */
class UserAgentsSection extends ClientSection {
  override render() {
    const { userAgents } = this.client;
    return html`<section class="card" aria-labelledby="user-agents">
      <h2 id="user-agents">${say('userAgents')}</h2>
      <p>${rich('agentsIntro', {
        review: this.renderReviewer('Each'),
        star: html`<code>*</code>`,
        examples: EXAMPLES.map((example, n) => html`${n === 0 ? '' : ', '}<code>${example}</code>`),
      })}</p>
      ${this.renderDone()}
      ${
        userAgents.length === 0
          ? html`<p class="muted">${say('noAgents')}</p>`
          : html`<ul class="rows">${userAgents.map(({ id, pattern, createdAt }) => this.#renderAgent(id, pattern, createdAt))}</ul>`
      }
      ${this.renderFailed('removeUserAgent')} ${this.renderRequests('user-agent')} ${this.renderRejections('user-agent')}
      ${
        userAgents.length >= LIMITS.userAgentsPerClient
          ? html`<p class="muted">${say('limitReached')}</p>`
          : html`<form class="fields" @submit=${this.#add}>
              <p class="field"><label for="pattern">${say('pattern')}</label>
              <input id="pattern" name="pattern" required maxlength="200" placeholder="MyApp/*" autocomplete="off" spellcheck="false" /></p>
              <button type="submit" aria-disabled=${this.busy}>${say('addAgent')}</button>
            </form>
            ${this.renderFailed('addUserAgent')}`
      }
    </section>`;
  }

  #renderAgent(userAgentId: string, pattern: string, createdAt: number): TemplateResult {
    return html`<li class="row">
      <span class="grow"><code class="long">${pattern}</code> <span class="state" data-state="approved">${say('approved')}</span>
        <span class="told">${say('since', { date: dateOf(createdAt) })}</span></span>
      <confirm-button .label=${say('remove')} .subject=${pattern} .action=${say('removeAgent')} .busy=${this.busy}
        .consequence=${say('agentRemoval', { soon: stopsWorking(this.site) })}
        @confirmed=${() => this.change('removeUserAgent', { path: { userAgentId } }, say('removed', { value: pattern }))}></confirm-button>
    </li>`;
  }

  async #add(event: SubmitEvent): Promise<void> {
    const form = event.currentTarget as HTMLFormElement;
    const before = this.client;
    const { pattern } = fieldsOf(event);
    await this.change('addUserAgent', { body: { pattern } }, say('agentAdded', { pattern: pattern! }));
    if (this.client !== before) form.reset();
  }
}

customElements.define('user-agents-section', UserAgentsSection);
