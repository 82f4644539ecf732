import type { Account, SessionInfo } from '@zoetrope/contract/account';
import { html, nothing, type TemplateResult } from 'lit';
import { ask } from './api.ts';
import { Loaded } from './parts/loaded.ts';
import { Panel } from './parts/panel.ts';
import { rich, say } from './words/owners.ts';
import { momentOf } from './words.ts';

/** Lists the browsers that are signed in, with buttons to sign out. */
class SessionsPage extends Panel {
  static override properties = { signedOut: { attribute: false } };
  declare signedOut: () => void;
  readonly #account = new Loaded(this, () => ask('account'));

  override render() {
    return html`<h1>${say('sessions')}</h1>
      ${this.renderDone()} ${this.renderFailed('sessions')}
      ${this.#account.render((account) => this.#renderAccount(account))}`;
  }

  #renderAccount({ npub, sessions }: Account): TemplateResult {
    return html`<p>${rich('youAre', { npub: html`<code class="long">${npub}</code>` })} <copy-button .text=${npub} .label=${say('yourNpub')}></copy-button></p>
      <p><button type="button" aria-disabled=${this.busy} @click=${this.#signOut}>${say('signOut')}</button></p>
      <h2>${say('signedInBrowsers')}</h2>
      <ul class="rows">${sessions.map((session) => this.#renderSession(session))}</ul>`;
  }

  #renderSession({ id, userAgent, createdAt, lastSeenAt, current }: SessionInfo): TemplateResult {
    const name = userAgent || say('unknownBrowser');
    return html`<li class="card row">
      <span class="grow">${name}${current ? html` <strong>${say('thisBrowser')}</strong>` : nothing}<br />
        <span class="muted">${say('sessionTimes', { since: momentOf(createdAt), seen: momentOf(lastSeenAt) })}</span></span>
      ${
        current
          ? nothing
          : html`<button type="button" class="plain" aria-label=${say('endSession', { name })} @click=${() => this.#revoke(id)}>${say('end')}</button>`
      }
    </li>`;
  }

  #revoke(sessionId: string): Promise<void> {
    return this.act('sessions', async () => {
      await ask('revokeSession', { path: { sessionId } });
      await this.#account.reload();
      return say('sessionOver');
    });
  }

  #signOut(): Promise<void> {
    return this.act('sessions', async () => {
      await ask('signOut');
      this.signedOut();
      return say('signedOut');
    });
  }
}

customElements.define('sessions-page', SessionsPage);
