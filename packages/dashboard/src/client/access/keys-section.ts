import { LIMITS } from '@zoetrope/contract';
import { type Client, type CreatedKey, KEY_DAYS } from '@zoetrope/contract/account';
import { html, nothing, type TemplateResult } from 'lit';
import { ask } from '../../api.ts';
import { BASE } from '../../navigation.ts';
import { fieldsOf } from '../../parts/panel.ts';
import { dateOf, stopsWorking } from '../../words.ts';
import { ClientSection } from '../section.ts';

/** Event that carries a newly created key, or null when the user hides the key. */
export const KEY_CREATED = 'key-created';

type Key = Client['keys'][number];

/** API keys. A key is shown only once because the service stores only its hash. */
class KeysSection extends ClientSection {
  static override properties = { ...ClientSection.properties, created: { attribute: false } };
  /** A newly created key, while it is displayed. */
  declare created: CreatedKey | null;
  /** Id of the key whose form for a rotation is open. */
  #rotating = '';

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
        keys.filter(isAlive).length >= LIMITS.apiKeysPerClient
          ? html`<p class="muted">You have reached the limit.</p>`
          : html`<form class="fields" @submit=${this.#create}>
              <p class="field">
                <label for="key-name">Key name</label>
                <input id="key-name" name="name" required maxlength="100" placeholder="Android app" autocomplete="off" />
              </p>
              ${renderDays('key-days')}
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
      <p><copy-button .text=${key} .label=${'the key'}></copy-button>
        <a href=${`${BASE}/clients/${this.client.id}`}>Try it</a></p>
      <p><button type="button" class="plain" @click=${this.#forget}>I have saved it, hide the key</button></p>
    </div>`;
  }

  #renderKey(key: Key): TemplateResult {
    const { id: keyId, name, createdAt, lastUsedAt } = key;
    return html`<li class="row">
      <span class="grow"><strong>${name}</strong> ${renderState(key)}
        <span class="told">Since ${dateOf(createdAt)}, ${lastUsedAt === null ? 'never used' : `last used ${dateOf(lastUsedAt)}`}</span></span>
      ${isAlive(key) ? this.#renderRotate(key) : nothing}
      <confirm-button .label=${'Revoke'} .subject=${name} .action=${'Revoke key'} .busy=${this.busy}
        .consequence=${`Apps with this key are refused ${stopsWorking(this.site)}. It cannot be restored.`}
        @confirmed=${() => this.change('revokeKey', { path: { keyId } }, `${name} was revoked.`)}></confirm-button>
      ${this.#rotating === keyId ? this.#renderRotation(key) : nothing}
    </li>`;
  }

  #renderRotate({ id, name }: Key): TemplateResult {
    const isOpen = this.#rotating === id;
    return html`<button type="button" class="plain" aria-label=${`Rotate ${name}`} aria-expanded=${isOpen}
      @click=${() => this.#open(isOpen ? '' : id)}>Rotate</button>`;
  }

  #renderRotation(key: Key): TemplateResult {
    return html`<form class="fields whole" @submit=${(event: SubmitEvent) => this.#rotate(event, key)}>
      <p class="field number">
        <label for="overlap">Days until the old key expires</label>
        <input id="overlap" name="overlapDays" type="number" required min="0" max=${KEY_DAYS.overlapMax} value=${KEY_DAYS.overlap} />
      </p>
      ${renderDays('rotated-days')}
      <button type="submit" aria-disabled=${this.busy}>Create the new key</button>
      ${this.renderFailed('rotateKey')}
    </form>`;
  }

  #open(keyId: string): void {
    this.#rotating = keyId;
    this.requestUpdate();
  }

  #create(event: SubmitEvent): Promise<void> {
    const form = event.currentTarget as HTMLFormElement;
    const { name, days } = fieldsOf(event);
    return this.act('createKey', async () => {
      const path = { clientId: this.client.id };
      await this.#take(await ask('createKey', { path, body: { name: name!, days: daysOf(days) } }));
      form.reset();
      return 'The key was created.';
    });
  }

  #rotate(event: SubmitEvent, { id: keyId, name }: Key): Promise<void> {
    const { overlapDays, days } = fieldsOf(event);
    return this.act('rotateKey', async () => {
      const body = { overlapDays: Number(overlapDays), days: daysOf(days) };
      await this.#take(await ask('rotateKey', { path: { clientId: this.client.id, keyId }, body }));
      this.#open('');
      return `There is a new key “${name}”. Give it to your app before the old one expires.`;
    });
  }

  /** Shows a new key, and the client with it. */
  async #take(created: CreatedKey): Promise<void> {
    this.#show(created);
    this.changed(await ask('client', { path: { clientId: this.client.id } }));
  }

  #forget(): void {
    this.#show(null);
    this.say('The key is hidden.');
  }

  #show(created: CreatedKey | null): void {
    this.dispatchEvent(new CustomEvent(KEY_CREATED, { detail: created, bubbles: true }));
  }
}

function renderDays(id: string): TemplateResult {
  return html`<p class="field number">
    <label for=${id}>Expires after (days)</label>
    <input id=${id} name="days" type="number" min="1" max=${KEY_DAYS.max} placeholder="never" />
  </p>`;
}

function daysOf(text: string | undefined): number | null {
  return text ? Number(text) : null;
}

function isAlive({ expiresAt }: Key): boolean {
  return expiresAt === null || expiresAt > Date.now();
}

function renderState(key: Key): TemplateResult {
  const { expiresAt } = key;
  if (!isAlive(key)) return html`<span class="state" data-state="rejected">expired on ${dateOf(expiresAt!)}</span>`;
  return html`<span class="state" data-state="approved">${expiresAt === null ? 'active' : `active until ${dateOf(expiresAt)}`}</span>`;
}

customElements.define('keys-section', KeysSection);
