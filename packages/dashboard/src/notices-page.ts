import type { Notice, NoticeList } from '@zoetrope/contract/account';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { ask } from './api.ts';
import { BASE } from './navigation.ts';
import { Loaded } from './parts/loaded.ts';
import { momentOf } from './words.ts';

/** Event that says that the user has seen all notices. */
export const NOTICES_READ = 'notices-read';

/** What the user must know about their clients, latest first. Opening the page marks the notices as read. */
class NoticesPage extends LitElement {
  readonly #list = new Loaded(this, () => this.#load());

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override render() {
    return html`<h1>Notices</h1>
      <p>Decisions of operators, payments, domains that can no longer be verified, and keys that expire soon. Notices are
        kept for 90 days.</p>
      ${this.#list.render(renderList)}`;
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
