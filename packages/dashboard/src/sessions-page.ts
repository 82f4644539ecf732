import type { Account, SessionInfo } from '@zoetrope/contract/account';
import { html, nothing, type TemplateResult } from 'lit';
import { ask } from './api.ts';
import { Loaded } from './parts/loaded.ts';
import { Panel } from './parts/panel.ts';
import { momentOf } from './words.ts';

/** Lists the browsers that are signed in, with buttons to sign out. */
class SessionsPage extends Panel {
  static override properties = { signedOut: { attribute: false } };
  declare signedOut: () => void;
  readonly #account = new Loaded(this, () => ask('account'));

  override render() {
    return html`<h1>Sessions</h1>
      ${this.renderDone()} ${this.renderFailed('sessions')}
      ${this.#account.render((account) => this.#renderAccount(account))}`;
  }

  #renderAccount({ npub, sessions }: Account): TemplateResult {
    return html`<p>You are <code class="long">${npub}</code> <copy-button .text=${npub} .label=${'your npub'}></copy-button></p>
      <p><button type="button" aria-disabled=${this.busy} @click=${this.#signOut}>Sign out</button></p>
      <h2>Signed-in browsers</h2>
      <ul class="rows">${sessions.map((session) => this.#renderSession(session))}</ul>`;
  }

  #renderSession({ id, userAgent, createdAt, lastSeenAt, current }: SessionInfo): TemplateResult {
    const name = userAgent || 'Unknown browser';
    return html`<li class="card row">
      <span class="grow">${name}${current ? html` <strong>(this browser)</strong>` : nothing}<br />
        <span class="muted">signed in ${momentOf(createdAt)}, last seen ${momentOf(lastSeenAt)}</span></span>
      ${
        current
          ? nothing
          : html`<button type="button" class="plain" aria-label=${`End the session of ${name}`} @click=${() => this.#revoke(id)}>
            End
          </button>`
      }
    </li>`;
  }

  #revoke(sessionId: string): Promise<void> {
    return this.act('sessions', async () => {
      await ask('revokeSession', { path: { sessionId } });
      await this.#account.reload();
      return 'Session ended.';
    });
  }

  #signOut(): Promise<void> {
    return this.act('sessions', async () => {
      await ask('signOut');
      this.signedOut();
      return 'Signed out.';
    });
  }
}

customElements.define('sessions-page', SessionsPage);
