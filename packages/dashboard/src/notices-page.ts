import type { Account, Notice, NoticeList, Site } from '@zoetrope/contract/account';
import { html, nothing, type TemplateResult } from 'lit';
import { ask } from './api.ts';
import { BASE } from './navigation.ts';
import { Loaded } from './parts/loaded.ts';
import { Panel } from './parts/panel.ts';
import { SIGNED_IN } from './sign-in/sign-in-page.ts';
import { momentOf } from './words.ts';

/** Event that says that the user has seen all notices. */
export const NOTICES_READ = 'notices-read';

/** What the user must know about their clients, latest first. Opening the page marks the notices as read. */
class NoticesPage extends Panel {
  static override properties = { site: { attribute: false }, account: { attribute: false } };
  declare site: Site;
  declare account: Account;
  readonly #list = new Loaded(this, () => this.#load());

  override render() {
    return html`<h1>Notices</h1>
      <p>Decisions of operators, payments, domains that can no longer be verified, and keys that expire soon. Notices are
        kept for 90 days.</p>
      ${this.site.messenger === '' ? nothing : this.#renderChoice()} ${this.#list.render(renderList)}`;
  }

  #renderChoice(): TemplateResult {
    return html`<div class="card">
      <label class="check"><input type="checkbox" .checked=${this.account.messages} aria-disabled=${this.busy} @change=${this.#choose} />
        Also send me new notices as direct messages on Nostr (NIP-17)</label>
      <p class="muted">They come from <code class="long">${this.site.messenger}</code> and contain the notice and a link to this page. Your
        Nostr app must read direct messages from one of the service's relays.</p>
      ${this.renderDone()} ${this.renderFailed('messages')}
    </div>`;
  }

  #choose(event: Event): Promise<void> {
    const box = event.currentTarget as HTMLInputElement;
    const messages = box.checked;
    return this.act('messages', async () => {
      const account = await ask('changeAccount', { body: { messages } }).catch((error: unknown) => {
        box.checked = !messages;
        throw error;
      });
      this.dispatchEvent(new CustomEvent(SIGNED_IN, { detail: account, bubbles: true }));
      return messages ? 'You get messages from now on.' : 'You get no more messages.';
    });
  }

  async #load(): Promise<NoticeList> {
    const list = await ask('notices');
    const latest = list.notices[0];
    if (latest && list.notices.some(({ isRead }) => !isRead)) {
      await ask('readNotices', { body: { until: latest.at } });
      this.dispatchEvent(new Event(NOTICES_READ, { bubbles: true }));
    }
    return list;
  }
}

function renderList({ notices }: NoticeList): TemplateResult {
  if (notices.length === 0) return html`<p class="card muted">No notices.</p>`;
  return html`<ul class="rows">${notices.map(renderNotice)}</ul>`;
}

function renderNotice({ clientId, text, at, isRead }: Notice): TemplateResult {
  return html`<li class="card row">
    <span class="grow">${isRead ? nothing : html`<strong class="state" data-state="pending">new</strong> `}${text}<br />
      <span class="muted">${momentOf(at)}</span></span>
    ${clientId === '' ? nothing : html`<a href=${`${BASE}/clients/${clientId}`}>Open the client</a>`}
  </li>`;
}

customElements.define('notices-page', NoticesPage);
