import type { Account, Client, CreatedKey, Site } from '@zoetrope/contract/account';
import { html, nothing, type TemplateResult } from 'lit';
import { ask } from '../api.ts';
import { PAID } from '../clients/pay-page.ts';
import { BASE } from '../navigation.ts';
import { Loaded } from '../parts/loaded.ts';
import { Panel } from '../parts/panel.ts';
import './checklist-section.ts';
import './delete-section.ts';
import './details-section.ts';
import { KEY_CREATED } from './access/keys-section.ts';
import './access/origins-section.ts';
import './owners-section.ts';
import { CLIENT_CHANGED } from './section.ts';
import { standingOf, waysIn } from './standing.ts';
import './start-section.ts';
import { TABS, type Tab } from './tabs.ts';
import './terms-section.ts';
import './usage/usage-section.ts';
import './access/user-agents-section.ts';
import { rich, say } from '../words/owners.ts';

/** The page of one client: its name and state, and one of its tabs. */
class ClientPage extends Panel {
  static override properties = { site: { attribute: false }, account: { attribute: false }, clientId: {}, tab: {} };
  declare site: Site;
  declare account: Account;
  declare clientId: string;
  declare tab: Tab;
  readonly #client = new Loaded(this, () => ask('client', { path: { clientId: this.clientId } }));
  /** A new key, while it is displayed. It is kept here, so that it stays when the user opens another tab. */
  #created: CreatedKey | null = null;

  constructor() {
    super();
    this.addEventListener(CLIENT_CHANGED, (event) => this.#client.set((event as CustomEvent<Client>).detail));
    this.addEventListener(KEY_CREATED, (event) => {
      this.#created = (event as CustomEvent<CreatedKey | null>).detail;
      this.requestUpdate();
    });
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (location.hash !== PAID) return;
    this.say(say('paymentArrived'));
    // A reload must not repeat the message.
    history.replaceState(null, '', location.pathname);
  }

  override render() {
    const client = this.#client.value;
    return html`<header class="client">
        <h1>${client?.name ?? say('client')}</h1>
        ${this.tab === '' ? this.renderDone() : nothing} ${client ? this.#renderStanding(client) : nothing}
      </header>
      ${client ? this.#renderTabs() : nothing} ${this.#client.render((loaded) => this.#renderTab(loaded))}`;
  }

  #renderStanding(client: Client): TemplateResult {
    const { sats } = this.site.fee;
    const now = Date.now();
    const isReady = client.state === 'approved' && waysIn(client, now).length > 0;
    return html`<p class="standing" data-state=${client.state} ?data-ready=${isReady}>${standingOf(client, sats, now)}</p>`;
  }

  #renderTabs(): TemplateResult {
    return html`<nav class="tabs" aria-label=${say('client')}>
      ${TABS.map(
        ({ path, title }) =>
          html`<a href=${`${BASE}/clients/${this.clientId}${path}`} aria-current=${path === this.tab ? 'page' : nothing}>${say(title)}</a>`,
      )}
    </nav>`;
  }

  #renderTab(client: Client): TemplateResult {
    const { site, account } = this;
    const created = this.#created;
    const tabs: Record<Tab, () => TemplateResult> = {
      '': () => html`<checklist-section .client=${client} .site=${site}></checklist-section>
        <start-section .client=${client} .site=${site} .key=${created?.key ?? ''}></start-section>`,
      '/access': () => html`<origins-section .client=${client} .site=${site}></origins-section>
        <keys-section .client=${client} .site=${site} .created=${created}></keys-section>
        <user-agents-section .client=${client} .site=${site}></user-agents-section>`,
      '/usage': () => html`<usage-section .client=${client} .site=${site}></usage-section>`,
      '/people': () => html`<owners-section .client=${client} .site=${site} .account=${account}></owners-section>`,
      '/settings': () => html`<details-section .client=${client} .site=${site}></details-section>
        <terms-section .client=${client} .site=${site}></terms-section>
        ${renderLostKey(client)}
        <delete-section .client=${client} .site=${site}></delete-section>`,
    };
    return tabs[this.tab]();
  }
}

function renderLostKey({ id, owners }: Client): TemplateResult {
  return html`<section class="card" aria-labelledby="lost-key">
    <h2 id="lost-key">${say('lostKey')}</h2>
    <p>${
      owners.length > 1
        ? say('otherOwnerInvites')
        : rich('onlyOwner', { link: (text) => html`<a href=${`${BASE}/clients/${id}/people`}>${text}</a>` })
    } ${say('withoutOwner')}</p>
  </section>`;
}

customElements.define('client-page', ClientPage);
