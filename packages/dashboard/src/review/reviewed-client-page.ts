import type { Client } from '@zoetrope/contract/account';
import { html, type TemplateResult } from 'lit';
import { ask } from '../api.ts';
import { Loaded } from '../parts/loaded.ts';
import { fieldsOf, Panel } from '../parts/panel.ts';
import { count, dateOf, stateInWords } from '../words.ts';
import './audit-section.ts';
import { BASE } from '../navigation.ts';
import { say } from '../words/operators.ts';
import type { AuditSection } from './audit-section.ts';

/** A client, as operators see it. */
class ReviewedClientPage extends Panel {
  static override properties = { clientId: {} };
  declare clientId: string;
  readonly #client = new Loaded(this, () => ask('reviewedClient', { path: { clientId: this.clientId } }));

  override render() {
    return html`<p><a href="${BASE}/review/clients">${say('allClients')}</a></p>
      <h1>${this.#client.value?.name ?? say('client')}</h1>
      ${this.#client.render((client) => this.#renderClient(client))}
      <audit-section .clientId=${this.clientId}></audit-section>`;
  }

  #renderClient(client: Client): TemplateResult {
    const { id, state, description, homePage, contact, createdAt } = client;
    return html`<p><span class="state" data-state=${state}>${stateInWords(client)}</span> ${say(`consequence_${state}`)}</p>
      <dl class="card facts">
        <dt>${say('id')}</dt><dd><code class="long">${id}</code></dd>
        <dt>${say('registeredOn')}</dt><dd>${dateOf(createdAt)}</dd>
        <dt>${say('description')}</dt><dd>${description || '–'}</dd>
        <dt>${say('homePage')}</dt><dd>${homePage || '–'}</dd>
        <dt>${say('contact')}</dt><dd>${contact || '–'}</dd>
        <dt>${say('owners')}</dt><dd>${codes(client.owners.map(({ npub }) => npub))}</dd>
        <dt>${say('origins')}</dt><dd>${codes(client.origins.map(({ origin }) => origin))}</dd>
        <dt>${say('userAgents')}</dt><dd>${codes(client.userAgents.map(({ pattern }) => pattern))}</dd>
        <dt>${say('keys')}</dt><dd>${count(client.keys.length)}</dd>
        <dt>${say('waitingRequests')}</dt><dd>${codes(client.requests.map(({ value }) => value))}</dd>
      </dl>
      ${this.renderDone()} ${state === 'approved' ? this.#renderSuspend() : this.#renderLetIn(state)} ${this.#renderLimit(client)}`;
  }

  #renderSuspend(): TemplateResult {
    return html`<form class="inline" @submit=${this.#suspend}>
        <label for="reason">${say('reasonShown')}</label>
        <input id="reason" name="reason" required maxlength="500" />
        <button type="submit" class="danger" aria-disabled=${this.busy}>${say('suspend')}</button>
      </form>
      ${this.renderFailed('suspend')}`;
  }

  #renderLetIn(state: Client['state']): TemplateResult {
    return html`<p>
        <button type="button" aria-disabled=${this.busy} @click=${this.#letIn}>
          ${state === 'unpaid' ? say('approveUnpaid') : say('approve')}
        </button>
      </p>
      ${this.renderFailed('letIn')}`;
  }

  #renderLimit({ searchesPerMinute }: Client): TemplateResult {
    return html`<form class="fields card" aria-labelledby="limit" @submit=${this.#setLimit}>
        <h2 id="limit">${say('limit')}</h2>
        <p class="field number"><label for="searches">${say('searchesPerMinute')}</label>
          <input id="searches" name="searches" type="number" min="1" max="100000000" placeholder=${say('default')}
            .value=${String(searchesPerMinute ?? '')} aria-describedby="limit-hint" /></p>
        <p class="field"><label for="limit-reason">${say('limitReason')}</label>
          <input id="limit-reason" name="reason" required maxlength="500" /></p>
        <button type="submit" aria-disabled=${this.busy}>${say('setLimit')}</button>
        <p class="hint" id="limit-hint">${say('limitHint')}</p>
      </form>
      ${this.renderFailed('setLimit')}`;
  }

  #setLimit(event: SubmitEvent): Promise<void> {
    const { searches, reason } = fieldsOf(event);
    return this.act('setLimit', async () => {
      const body = { searchesPerMinute: searches === '' ? null : Number(searches), reason: reason! };
      this.#client.set(await ask('setLimit', { path: { clientId: this.clientId }, body }));
      await this.#reloadAudit();
      return say('limitWasSet');
    });
  }

  #suspend(event: SubmitEvent): Promise<void> {
    const { reason } = fieldsOf(event);
    return this.act('suspend', async () => {
      this.#client.set(await ask('suspend', { path: { clientId: this.clientId }, body: { reason: reason! } }));
      await this.#reloadAudit();
      return say('suspended');
    });
  }

  async #reloadAudit(): Promise<void> {
    await this.querySelector<AuditSection>('audit-section')?.reload();
  }

  #letIn(): Promise<void> {
    return this.act('letIn', async () => {
      this.#client.set(await ask('letIn', { path: { clientId: this.clientId } }));
      await this.#reloadAudit();
      return say('letIn');
    });
  }
}

function codes(values: string[]): TemplateResult {
  return values.length === 0 ? html`–` : html`${values.map((value) => html`<code class="long">${value}</code> `)}`;
}

customElements.define('reviewed-client-page', ReviewedClientPage);
