import type { Account, Notice, NoticeList, Site } from '@zoetrope/contract/account';
import { html, nothing, type TemplateResult } from 'lit';
import { ask } from './api.ts';
import { BASE } from './navigation.ts';
import { Loaded } from './parts/loaded.ts';
import { Panel } from './parts/panel.ts';
import { SIGNED_IN } from './sign-in/sign-in-page.ts';
import { rich, say } from './words/owners.ts';
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
    return html`<h1>${say('notices')}</h1>
      <p>${say('noticesIntro')}</p>
      ${this.site.messenger === '' ? nothing : this.#renderChoice()} ${this.#list.render(renderList)}`;
  }

  #renderChoice(): TemplateResult {
    return html`<div class="card">
      <label class="check"><input type="checkbox" .checked=${this.account.messages} aria-disabled=${this.busy} @change=${this.#choose} />
        ${say('sendMessages')}</label>
      <p class="muted">${rich('messagesFrom', { npub: html`<code class="long">${this.site.messenger}</code>` })}</p>
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
      return messages ? say('messagesOn') : say('messagesOff');
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
  if (notices.length === 0) return html`<p class="card muted">${say('noNotices')}</p>`;
  return html`<ul class="rows">${notices.map(renderNotice)}</ul>`;
}

function renderNotice({ clientId, text, at, isRead }: Notice): TemplateResult {
  return html`<li class="card row">
    <span class="grow">${isRead ? nothing : html`<strong class="state" data-state="pending">${say('isNew')}</strong> `}${text}<br />
      <span class="muted">${momentOf(at)}</span></span>
    ${clientId === '' ? nothing : html`<a href=${`${BASE}/clients/${clientId}`}>${say('openClient')}</a>`}
  </li>`;
}

customElements.define('notices-page', NoticesPage);
