import { LIMITS } from '@zoetrope/contract';
import type { ClientList, ClientSummary, Invitation, OwnHandover, Site } from '@zoetrope/contract/account';
import { html, nothing, type TemplateResult } from 'lit';
import { ask } from '../api.ts';
import { BASE } from '../navigation.ts';
import { Loaded } from '../parts/loaded.ts';
import { fieldsOf, Panel } from '../parts/panel.ts';
import { SIGNED_IN } from '../sign-in/sign-in-page.ts';
import { rich, say } from '../words/owners.ts';
import { dateOf, stateInWords } from '../words.ts';

/** The clients that the user owns, and invitations to become an owner. */
class ClientsPage extends Panel {
  static override properties = { site: { attribute: false } };
  declare site: Site;
  readonly #list = new Loaded(this, () => ask('clients'));

  override render() {
    return html`<h1>${say('yourClients')}</h1>
      ${this.renderDone()} ${this.site.claimable ? this.#renderClaim() : nothing} ${this.#list.render((list) => this.#renderList(list))}`;
  }

  #renderClaim(): TemplateResult {
    return html`<form class="card" aria-labelledby="claim" @submit=${this.#claim}>
      <h2 id="claim">${say('operate')}</h2>
      <p>${say('operateIntro')}</p>
      <label class="above" for="operator-code">${say('terminalCode')}</label>
      <input id="operator-code" name="code" required maxlength="20" inputmode="numeric" autocomplete="off" placeholder="000 000" />
      ${this.renderFailed('claim')}
      <p><button type="submit" aria-disabled=${this.busy}>${say('becomeOperator')}</button></p>
    </form>`;
  }

  #renderList({ clients, invitations, handovers }: ClientList): TemplateResult {
    const full = clients.length >= LIMITS.clientsPerPubkey;
    return html`${invitations.length > 0 ? this.#renderInvitations(invitations) : nothing}
      ${
        clients.length === 0
          ? html`<p class="card">${say('noClients')}</p>`
          : html`<ul class="rows">${clients.map((client) => this.#renderClient(client))}</ul>`
      }
      ${
        full
          ? html`<p class="muted">${say('clientLimit', { n: LIMITS.clientsPerPubkey })}</p>`
          : html`<p><a class="button" href="${BASE}/register">${say('registerClient')}</a></p>`
      }
      ${this.#renderHandovers(handovers)}`;
  }

  #renderClient(client: ClientSummary): TemplateResult {
    const { id, name, state, createdAt } = client;
    return html`<li class="card row">
      <a class="name" href=${`${BASE}/clients/${id}`}>${name}</a>
      <span class="state" data-state=${state}>${stateInWords(client)}</span>
      <span class="muted">${say('sinceDate', { date: dateOf(createdAt) })}</span>
      ${
        state === 'unpaid' && this.site.fee.sats > 0
          ? html`<a href=${`${BASE}/clients/${id}/pay`} aria-label=${say('payFor', { name })}>${say('pay')}</a>`
          : nothing
      }
    </li>`;
  }

  #renderInvitations(invitations: Invitation[]): TemplateResult {
    return html`<h2>${say('invitations')}</h2>
      ${this.renderFailed('invitations')}
      <ul class="rows">
        ${invitations.map(
          ({ id, clientName }) => html`<li class="card row">
            <span>${rich('invited', { name: html`<strong>${clientName}</strong>` })}</span>
            <button type="button" aria-label=${say('actOn', { act: say('accept'), thing: clientName })} @click=${() => this.#answer('acceptInvitation', id)}>${say('accept')}</button>
            <button
              type="button"
              class="plain"
              aria-label=${say('actOn', { act: say('decline'), thing: clientName })}
              @click=${() => this.#answer('declineInvitation', id)}
            >${say('decline')}</button>
          </li>`,
        )}
      </ul>`;
  }

  #renderHandovers(handovers: OwnHandover[]): TemplateResult {
    return html`<details class="card" ?open=${handovers.length > 0}>
      <summary>${say('lostKeyAsked')}</summary>
      <p>${rich('lostKeyHelp')}</p>
      <ul class="rows">${handovers.map(
        ({ id, origin, createdAt }) => html`<li class="row">
          <span class="grow"><code class="long">${origin}</code> <span class="state">${say('waitingReview')}</span>
            <span class="told">${say('requestedOn', { date: dateOf(createdAt) })}</span></span>
          <button type="button" class="plain" aria-label=${say('actOn', { act: say('withdraw'), thing: origin })} aria-disabled=${this.busy}
            @click=${() => this.#withdraw(id)}>${say('withdraw')}</button>
        </li>`,
      )}</ul>
      <form class="fields" @submit=${this.#takeOver}>
        <p class="field"><label for="handover">${say('originOfClient')}</label>
          <input id="handover" name="origin" required maxlength="300" placeholder="https://app.example" autocomplete="off"
            autocapitalize="none" spellcheck="false" inputmode="url" /></p>
        <button type="submit" aria-disabled=${this.busy}>${say('askForClient')}</button>
      </form>
      ${this.renderFailed('handover')}
    </details>`;
  }

  #takeOver(event: SubmitEvent): Promise<void> {
    const form = event.currentTarget as HTMLFormElement;
    const { origin } = fieldsOf(event);
    return this.act('handover', async () => {
      this.#list.set(await ask('requestHandover', { body: { origin } }));
      form.reset();
      return say('domainVerified');
    });
  }

  #withdraw(handoverId: string): Promise<void> {
    return this.act('handover', async () => {
      this.#list.set(await ask('withdrawHandover', { path: { handoverId } }));
      return say('requestWithdrawn');
    });
  }

  #claim(event: SubmitEvent): Promise<void> {
    const body = fieldsOf(event);
    return this.act('claim', async () => {
      const account = await ask('claimOperator', { body });
      this.dispatchEvent(new CustomEvent(SIGNED_IN, { detail: account, bubbles: true }));
      return say('nowOperator');
    });
  }

  #answer(route: 'acceptInvitation' | 'declineInvitation', requestId: string): Promise<void> {
    return this.act('invitations', async () => {
      this.#list.set(await ask(route, { path: { requestId } }));
      return route === 'acceptInvitation' ? say('nowOwner') : say('declined');
    });
  }
}

customElements.define('clients-page', ClientsPage);
