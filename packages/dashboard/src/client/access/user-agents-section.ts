import { LIMITS } from '@zoetrope/contract';
import { html, type TemplateResult } from 'lit';
import { fieldsOf } from '../../parts/panel.ts';
import { dateOf, stopsWorking } from '../../words.ts';
import { ClientSection } from '../section.ts';

const EXAMPLES = ['MyApp/*', 'MyApp/* (Android)', 'myapp-bot/1.*'];

/** The client's registered User-Agent patterns. */
class UserAgentsSection extends ClientSection {
  override render() {
    const { userAgents } = this.client;
    return html`<section class="card" aria-labelledby="user-agents">
      <h2 id="user-agents">User agents</h2>
      <p>For native apps that send their own User-Agent and cannot keep a key secret. Anyone can send any User-Agent.
        ${this.renderReviewer('each pattern')} <code>*</code> matches any characters. Examples: ${EXAMPLES.map((example, n) => html`${n === 0 ? '' : ', '}<code>${example}</code>`)}</p>
      ${this.renderDone()}
      ${
        userAgents.length === 0
          ? html`<p class="muted">No user agents yet.</p>`
          : html`<ul class="rows">${userAgents.map(({ id, pattern, createdAt }) => this.#renderAgent(id, pattern, createdAt))}</ul>`
      }
      ${this.renderFailed('removeUserAgent')} ${this.renderRequests('user-agent')} ${this.renderRejections('user-agent')}
      ${
        userAgents.length >= LIMITS.userAgentsPerClient
          ? html`<p class="muted">You have reached the limit.</p>`
          : html`<form class="fields" @submit=${this.#add}>
              <p class="field"><label for="pattern">Pattern</label>
              <input id="pattern" name="pattern" required maxlength="200" placeholder="MyApp/*" autocomplete="off" spellcheck="false" /></p>
              <button type="submit" aria-disabled=${this.busy}>Add user agent</button>
            </form>
            ${this.renderFailed('addUserAgent')}`
      }
    </section>`;
  }

  #renderAgent(userAgentId: string, pattern: string, createdAt: number): TemplateResult {
    return html`<li class="row">
      <span class="grow"><code class="long">${pattern}</code> <span class="state" data-state="approved">approved</span>
        <span class="told">Since ${dateOf(createdAt)}</span></span>
      <confirm-button .label=${'Remove'} .subject=${pattern} .action=${'Remove user agent'} .busy=${this.busy}
        .consequence=${`Apps that send it are refused ${stopsWorking(this.site)}. To add it again, you need another review.`}
        @confirmed=${() => this.change('removeUserAgent', { path: { userAgentId } }, `${pattern} was removed.`)}></confirm-button>
    </li>`;
  }

  async #add(event: SubmitEvent): Promise<void> {
    const form = event.currentTarget as HTMLFormElement;
    const before = this.client;
    const { pattern } = fieldsOf(event);
    await this.change('addUserAgent', { body: { pattern } }, `${pattern} was added. Its status is shown below.`);
    if (this.client !== before) form.reset();
  }
}

customElements.define('user-agents-section', UserAgentsSection);
