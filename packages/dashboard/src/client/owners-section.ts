import { LIMITS } from '@zoetrope/contract';
import type { Account, Client } from '@zoetrope/contract/account';
import { html, type TemplateResult } from 'lit';
import { ask } from '../api.ts';
import { go } from '../navigation.ts';
import { fieldsOf } from '../parts/panel.ts';
import { say } from '../words/owners.ts';
import { dateOf, shortened } from '../words.ts';
import { ClientSection } from './section.ts';

/** The people who can change the client. */
class OwnersSection extends ClientSection {
  static override properties = { ...ClientSection.properties, account: { attribute: false } };
  declare account: Account;

  override render() {
    const { owners } = this.client;
    return html`<section class="card" aria-labelledby="owners">
      <h2 id="owners">${say('owners')}</h2>
      <p>${say('ownersIntro')}</p>
      ${this.renderDone()}
      <ul class="rows">${owners.map((owner) => this.#renderOwner(owner))}</ul>
      ${this.renderFailed('removeOwner')} ${this.renderRequests('owner')} ${this.renderRejections('owner')}
      ${
        owners.length >= LIMITS.ownersPerClient
          ? html`<p class="muted">${say('limitReached')}</p>`
          : html`<form class="fields" @submit=${this.#invite}>
              <p class="field">
                <label for="who">${say('whom')}</label>
                <input id="who" name="who" required maxlength="200" placeholder="npub1…" autocomplete="off" spellcheck="false" />
              </p>
              <button type="submit" aria-disabled=${this.busy}>${say('invite')}</button>
            </form>
            ${this.renderFailed('inviteOwner')}`
      }
    </section>`;
  }

  #renderOwner({ id, npub, pubkey, createdAt }: Client['owners'][number]): TemplateResult {
    const isMe = pubkey === this.account.pubkey;
    const isLast = this.client.owners.length === 1;
    return html`<li class="row">
      <span class="grow"><code title=${npub}>${shortened(npub)}</code> ${isMe ? html`<strong>${say('you')}</strong>` : ''}
        <copy-button .text=${npub} .label=${shortened(npub)}></copy-button>
        <span class="told">${say('since', { date: dateOf(createdAt) })}</span></span>
      ${
        isLast
          ? html`<span class="muted">${say('lastOwner')}</span>`
          : html`<confirm-button .label=${isMe ? say('leave') : say('remove')} .subject=${isMe ? say('thisClient') : shortened(npub)}
              .action=${isMe ? say('leaveClient') : say('removeOwner')} .busy=${this.busy}
              .consequence=${isMe ? say('leaving') : say('ownerRemoval')}
              @confirmed=${() => this.#remove(id, isMe)}></confirm-button>`
      }
    </li>`;
  }

  async #invite(event: SubmitEvent): Promise<void> {
    const form = event.currentTarget as HTMLFormElement;
    const before = this.client;
    const { who } = fieldsOf(event);
    await this.change('inviteOwner', { body: { who } }, say('wasInvited', { who: who! }));
    if (this.client !== before) form.reset();
  }

  #remove(ownerId: string, isMe: boolean): Promise<void> {
    return this.act('removeOwner', async () => {
      const client = await ask('removeOwner', { path: { clientId: this.client.id, ownerId } });
      if (isMe) go('/');
      else this.changed(client as Client);
      return isMe ? say('youLeft') : say('ownerRemoved');
    });
  }
}

customElements.define('owners-section', OwnersSection);
