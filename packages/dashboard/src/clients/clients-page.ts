import { LIMITS } from '@zoetrope/contract';
import type { ClientList, ClientSummary, Invitation, OwnHandover, Site } from '@zoetrope/contract/account';
import { html, nothing, type TemplateResult } from 'lit';
import { ask } from '../api.ts';
import { BASE } from '../navigation.ts';
import { Loaded } from '../parts/loaded.ts';
import { fieldsOf, Panel } from '../parts/panel.ts';
import { SIGNED_IN } from '../sign-in/sign-in-page.ts';
import { dateOf, stateInWords } from '../words.ts';

/** The clients that the user owns, and invitations to become an owner. */
class ClientsPage extends Panel {
  static override properties = { site: { attribute: false } };
  declare site: Site;
  readonly #list = new Loaded(this, () => ask('clients'));

  override render() {
    return html`<h1>Your clients</h1>
      ${this.renderDone()} ${this.site.claimable ? this.#renderClaim() : nothing} ${this.#list.render((list) => this.#renderList(list))}`;
  }

  #renderClaim(): TemplateResult {
    return html`<form class="card" aria-labelledby="claim" @submit=${this.#claim}>
      <h2 id="claim">Operate this service</h2>
      <p>Nobody operates this service yet. If it is yours, enter the code that the terminal showed when the service started. You then
        add GIFs, decide about reports and approve clients in the console.</p>
      <label class="above" for="operator-code">Code from the terminal</label>
      <input id="operator-code" name="code" required maxlength="20" inputmode="numeric" autocomplete="off" placeholder="000 000" />
      ${this.renderFailed('claim')}
      <p><button type="submit" aria-disabled=${this.busy}>Become the operator</button></p>
    </form>`;
  }

  #renderList({ clients, invitations, handovers }: ClientList): TemplateResult {
    const full = clients.length >= LIMITS.clientsPerPubkey;
    return html`${invitations.length > 0 ? this.#renderInvitations(invitations) : nothing}
      ${
        clients.length === 0
          ? html`<p class="card">You have no clients yet. A client is an app or a website that searches GIFs here. Register it,
            then add its origin or create a key for it.</p>`
          : html`<ul class="rows">${clients.map((client) => this.#renderClient(client))}</ul>`
      }
      ${
        full
          ? html`<p class="muted">You own ${LIMITS.clientsPerPubkey} clients, which is the limit.</p>`
          : html`<p><a class="button" href="${BASE}/register">Register a client</a></p>`
      }
      ${this.#renderHandovers(handovers)}`;
  }

  #renderClient(client: ClientSummary): TemplateResult {
    const { id, name, state, createdAt } = client;
    return html`<li class="card row">
      <a class="name" href=${`${BASE}/clients/${id}`}>${name}</a>
      <span class="state" data-state=${state}>${stateInWords(client)}</span>
      <span class="muted">since ${dateOf(createdAt)}</span>
      ${
        state === 'unpaid' && this.site.fee.sats > 0
          ? html`<a href=${`${BASE}/clients/${id}/pay`} aria-label=${`Pay for ${name}`}>Pay</a>`
          : nothing
      }
    </li>`;
  }

  #renderInvitations(invitations: Invitation[]): TemplateResult {
    return html`<h2>Invitations</h2>
      ${this.renderFailed('invitations')}
      <ul class="rows">
        ${invitations.map(
          ({ id, clientName }) => html`<li class="card row">
            <span>You are invited to become an owner of <strong>${clientName}</strong>.</span>
            <button type="button" aria-label=${`Accept ${clientName}`} @click=${() => this.#answer('acceptInvitation', id)}>
              Accept
            </button>
            <button
              type="button"
              class="plain"
              aria-label=${`Decline ${clientName}`}
              @click=${() => this.#answer('declineInvitation', id)}
            >
              Decline
            </button>
          </li>`,
        )}
      </ul>`;
  }

  #renderHandovers(handovers: OwnHandover[]): TemplateResult {
    return html`<details class="card" ?open=${handovers.length > 0}>
      <summary>Has an owner lost their key?</summary>
      <p>If your client has another owner, ask that person to invite you. Otherwise, sign in with your new key, name it at the
        domain of the client (NIP-05: the name <code>_</code>), and ask for the client by one of its origins. An operator decides, and the
        former owners get a notice.</p>
      <ul class="rows">${handovers.map(
        ({ id, origin, createdAt }) => html`<li class="row">
          <span class="grow"><code class="long">${origin}</code> <span class="state">waiting for review</span>
            <span class="told">Requested on ${dateOf(createdAt)}</span></span>
          <button type="button" class="plain" aria-label=${`Withdraw ${origin}`} aria-disabled=${this.busy}
            @click=${() => this.#withdraw(id)}>Withdraw</button>
        </li>`,
      )}</ul>
      <form class="fields" @submit=${this.#takeOver}>
        <p class="field"><label for="handover">Origin of the client</label>
          <input id="handover" name="origin" required maxlength="300" placeholder="https://app.example" autocomplete="off"
            autocapitalize="none" spellcheck="false" inputmode="url" /></p>
        <button type="submit" aria-disabled=${this.busy}>Ask for the client</button>
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
      return 'Your domain was verified. An operator decides.';
    });
  }

  #withdraw(handoverId: string): Promise<void> {
    return this.act('handover', async () => {
      this.#list.set(await ask('withdrawHandover', { path: { handoverId } }));
      return 'Your request was withdrawn.';
    });
  }

  #claim(event: SubmitEvent): Promise<void> {
    const body = fieldsOf(event);
    return this.act('claim', async () => {
      const account = await ask('claimOperator', { body });
      this.dispatchEvent(new CustomEvent(SIGNED_IN, { detail: account, bubbles: true }));
      return 'You now operate this service. The console is in the navigation.';
    });
  }

  #answer(route: 'acceptInvitation' | 'declineInvitation', requestId: string): Promise<void> {
    return this.act('invitations', async () => {
      this.#list.set(await ask(route, { path: { requestId } }));
      return route === 'acceptInvitation' ? 'You are now an owner.' : 'Invitation declined.';
    });
  }
}

customElements.define('clients-page', ClientsPage);
