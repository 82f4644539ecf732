import { LIMITS } from '@zoetrope/contract';
import type { Account, Client } from '@zoetrope/contract/account';
import { html, type TemplateResult } from 'lit';
import { ask } from '../api.ts';
import { go } from '../navigation.ts';
import { fieldsOf } from '../parts/panel.ts';
import { dateOf, shortened } from '../words.ts';
import { ClientSection } from './section.ts';

/** The people who can change the client. */
class OwnersSection extends ClientSection {
  static override properties = { ...ClientSection.properties, account: { attribute: false } };
  declare account: Account;

  override render() {
    const { owners } = this.client;
    return html`<section class="card" aria-labelledby="owners">
      <h2 id="owners">Owners</h2>
      <p>Every owner can change everything here. People you invite see the invitation when they sign in and become owners when they accept it.
        Invite a second owner: if you lose your Nostr key, only another owner or the proof of a domain can give you the client back.</p>
      ${this.renderDone()}
      <ul class="rows">${owners.map((owner) => this.#renderOwner(owner))}</ul>
      ${this.renderFailed('removeOwner')} ${this.renderRequests('owner')} ${this.renderRejections('owner')}
      ${
        owners.length >= LIMITS.ownersPerClient
          ? html`<p class="muted">You have reached the limit.</p>`
          : html`<form class="fields" @submit=${this.#invite}>
              <p class="field">
                <label for="who">Npub, pubkey or NIP-05 name</label>
                <input id="who" name="who" required maxlength="200" placeholder="npub1…" autocomplete="off" spellcheck="false" />
              </p>
              <button type="submit" aria-disabled=${this.busy}>Invite</button>
            </form>
            ${this.renderFailed('inviteOwner')}`
      }
    </section>`;
  }

  #renderOwner({ id, npub, pubkey, createdAt }: Client['owners'][number]): TemplateResult {
    const isMe = pubkey === this.account.pubkey;
    const isLast = this.client.owners.length === 1;
    return html`<li class="row">
      <span class="grow"><code title=${npub}>${shortened(npub)}</code> ${isMe ? html`<strong>(you)</strong>` : ''}
        <copy-button .text=${npub} .label=${shortened(npub)}></copy-button>
        <span class="told">Since ${dateOf(createdAt)}</span></span>
      ${
        isLast
          ? html`<span class="muted">The last owner cannot leave</span>`
          : html`<confirm-button .label=${isMe ? 'Leave' : 'Remove'} .subject=${isMe ? 'this client' : shortened(npub)}
              .action=${isMe ? 'Leave client' : 'Remove owner'} .busy=${this.busy}
              .consequence=${isMe ? 'You can no longer see or change it. To come back, you need an invitation.' : 'This person can no longer see or change the client.'}
              @confirmed=${() => this.#remove(id, isMe)}></confirm-button>`
      }
    </li>`;
  }

  async #invite(event: SubmitEvent): Promise<void> {
    const form = event.currentTarget as HTMLFormElement;
    const before = this.client;
    const { who } = fieldsOf(event);
    await this.change('inviteOwner', { body: { who } }, `${who} was invited.`);
    if (this.client !== before) form.reset();
  }

  #remove(ownerId: string, isMe: boolean): Promise<void> {
    return this.act('removeOwner', async () => {
      const client = await ask('removeOwner', { path: { clientId: this.client.id, ownerId } });
      if (isMe) go('/');
      else this.changed(client as Client);
      return isMe ? 'You left the client.' : 'Owner removed.';
    });
  }
}

customElements.define('owners-section', OwnersSection);
