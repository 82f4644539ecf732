import { LIMITS } from '@zoetrope/contract';
import type { CreatedKey } from '@zoetrope/contract/account';
import { html, nothing, type TemplateResult } from 'lit';
import { ask } from '../api.ts';
import { fieldsOf } from '../parts/panel.ts';
import { dateOf, stopsWorking } from '../words.ts';
import { ClientSection } from './section.ts';

/** Event that carries a newly created key, or null when the user hides the key. */
export const KEY_CREATED = 'key-created';

/** API keys. A key is shown only once because the service stores only its hash. */
class KeysSection extends ClientSection {
  static override properties = { ...ClientSection.properties, created: { attribute: false } };
  /** A newly created key, while it is displayed. */
  declare created: CreatedKey | null;

  override render() {
    const { keys } = this.client;
    return html`<section class="card" aria-labelledby="keys">
      <h2 id="keys">API keys</h2>
      <p>For native apps and servers, which send no origin. A new key works immediately.</p>
      ${this.renderDone()} ${this.created ? this.#renderCreated(this.created) : nothing}
      ${
        keys.length === 0
          ? html`<p class="muted">No keys yet.</p>`
          : html`<ul class="rows">${keys.map((key) => this.#renderKey(key))}</ul>`
      }
      ${this.renderFailed('revokeKey')}
      ${
        keys.length >= LIMITS.apiKeysPerClient
          ? html`<p class="muted">You have reached the limit.</p>`
          : html`<form class="inline" @submit=${this.#create}>
              <label for="key-name">Key name</label>
              <input id="key-name" name="name" required maxlength="100" placeholder="Android app" autocomplete="off" />
              <button type="submit" aria-disabled=${this.busy}>Create key</button>
            </form>
            ${this.renderFailed('createKey')}`
      }
    </section>`;
  }

  #renderCreated({ name, key }: CreatedKey): TemplateResult {
    return html`<div class="once">
      <p><strong>This is the only time that the key “${name}” is shown.</strong> Store it where only your app can read it.</p>
      <p><label class="above" for="created-key">Key</label> <input id="created-key" readonly .value=${key} /></p>
      <p><copy-button .text=${key} .label=${'the key'}></copy-button></p>
      <p><button type="button" class="plain" @click=${this.#forget}>I have saved it, hide the key</button></p>
    </div>`;
  }

  #renderKey({ id: keyId, name, createdAt, lastUsedAt }: (typeof this.client.keys)[number]): TemplateResult {
    return html`<li class="row">
      <span class="grow"><strong>${name}</strong> <span class="state" data-state="approved">active</span>
        <span class="told">Since ${dateOf(createdAt)}, ${lastUsedAt === null ? 'never used' : `last used ${dateOf(lastUsedAt)}`}</span></span>
      <confirm-button .label=${'Revoke'} .subject=${name} .action=${'Revoke key'} .busy=${this.busy}
        .consequence=${`Apps with this key are refused ${stopsWorking(this.site)}. It cannot be restored.`}
        @confirmed=${() => this.change('revokeKey', { path: { keyId } }, `${name} was revoked.`)}></confirm-button>
    </li>`;
  }

  #create(event: SubmitEvent): Promise<void> {
    const form = event.currentTarget as HTMLFormElement;
    const { name } = fieldsOf(event);
    return this.act('createKey', async () => {
      const path = { clientId: this.client.id };
      this.#show(await ask('createKey', { path, body: { name: name! } }));
      form.reset();
      this.changed(await ask('client', { path }));
      return 'The key was created.';
    });
  }

  #forget(): void {
    this.#show(null);
    this.say('The key is hidden.');
  }

  #show(created: CreatedKey | null): void {
    this.dispatchEvent(new CustomEvent(KEY_CREATED, { detail: created, bubbles: true }));
  }
}

customElements.define('keys-section', KeysSection);
