import type { Account, Client, Site } from '@zoetrope/contract/account';
import { html, nothing, type TemplateResult } from 'lit';
import { ask } from '../api.ts';
import { Loaded } from '../parts/loaded.ts';
import { Panel } from '../parts/panel.ts';
import { consequenceOf, stateInWords } from '../words.ts';
import './delete-section.ts';
import './details-section.ts';
import { KEY_CREATED } from './keys-section.ts';
import './origins-section.ts';
import './owners-section.ts';
import { CLIENT_CHANGED } from './section.ts';
import './start-section.ts';
import './terms-section.ts';
import './usage-section.ts';
import './user-agents-section.ts';
import { BASE } from '../navigation.ts';

const SECTIONS = {
  start: 'Get started',
  origins: 'Origins',
  keys: 'API keys',
  'user-agents': 'User agents',
  usage: 'Usage',
  owners: 'Owners',
  details: 'Details',
  delete: 'Delete',
};

/** The page of one client. */
class ClientPage extends Panel {
  static override properties = { site: { attribute: false }, account: { attribute: false }, clientId: {} };
  declare site: Site;
  declare account: Account;
  declare clientId: string;
  readonly #client = new Loaded(this, () => ask('client', { path: { clientId: this.clientId } }));
  /** A new key, while it is displayed. */
  #key = '';

  constructor() {
    super();
    this.addEventListener(CLIENT_CHANGED, (event) => this.#client.set((event as CustomEvent<Client>).detail));
    this.addEventListener(KEY_CREATED, (event) => {
      this.#key = (event as CustomEvent<string>).detail;
      this.requestUpdate();
    });
  }

  override render() {
    return html`<h1>${this.#client.value?.name ?? 'Client'}</h1>
      ${this.#client.render((client) => this.#renderClient(client))}`;
  }

  #renderClient(client: Client): TemplateResult {
    const { state, id } = client;
    return html`<p><span class="state" data-state=${state}>${stateInWords(client)}</span> ${consequenceOf(state)}
        ${
          state === 'unpaid' && this.site.fee.sats > 0
            ? html`<a class="button" href=${`${BASE}/clients/${id}/pay`}>Pay the fee</a>`
            : nothing
        }</p>
      <nav class="sections" aria-label="On this page">
        ${Object.entries(SECTIONS).map(([anchor, title]) => html`<a href=${`#${anchor}`}>${title}</a>`)}
      </nav>
      <terms-section .client=${client} .site=${this.site}></terms-section>
      <start-section .client=${client} .site=${this.site} .key=${this.#key}></start-section>
      <origins-section .client=${client}></origins-section>
      <keys-section .client=${client}></keys-section>
      <user-agents-section .client=${client}></user-agents-section>
      <usage-section .client=${client}></usage-section>
      <owners-section .client=${client} .account=${this.account}></owners-section>
      <details-section .client=${client}></details-section>
      <delete-section .client=${client}></delete-section>`;
  }
}

customElements.define('client-page', ClientPage);
