import { LIMITS } from '@zoetrope/contract';
import { type Client, type CreatedKey, KEY_DAYS } from '@zoetrope/contract/account';
import { html, nothing, type TemplateResult } from 'lit';
import { ask } from '../../api.ts';
import { BASE } from '../../navigation.ts';
import { fieldsOf } from '../../parts/panel.ts';
import { rich, say } from '../../words/owners.ts';
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
      <h2 id="keys">${say('apiKeys')}</h2>
      <p>${say('keysIntro')}</p>
      ${this.renderDone()} ${this.created ? this.#renderCreated(this.created) : nothing}
      ${
        keys.length === 0
          ? html`<p class="muted">${say('noKeys')}</p>`
          : html`<ul class="rows">${keys.map((key) => this.#renderKey(key))}</ul>`
      }
      ${this.renderFailed('revokeKey')}
      ${
        keys.filter(isAlive).length >= LIMITS.apiKeysPerClient
          ? html`<p class="muted">${say('limitReached')}</p>`
          : html`<form class="fields" @submit=${this.#create}>
              <p class="field">
                <label for="key-name">${say('keyName')}</label>
                <input id="key-name" name="name" required maxlength="100" placeholder=${say('keyExample')} autocomplete="off" />
              </p>
              ${renderDays('key-days')}
              <button type="submit" aria-disabled=${this.busy}>${say('createKeyButton')}</button>
            </form>
            ${this.renderFailed('createKey')}`
      }
    </section>`;
  }

  #renderCreated({ name, key }: CreatedKey): TemplateResult {
    return html`<div class="once">
      <p>${rich('onlyTime', { name })}</p>
      <p><label class="above" for="created-key">${say('key')}</label> <input id="created-key" readonly .value=${key} /></p>
      <p><copy-button .text=${key} .label=${say('theKey')}></copy-button>
        <a href=${`${BASE}/clients/${this.client.id}`}>${say('tryIt')}</a></p>
      <p><button type="button" class="plain" @click=${this.#forget}>${say('hideKey')}</button></p>
    </div>`;
  }

  #renderKey(key: Key): TemplateResult {
    const { id: keyId, name, createdAt, lastUsedAt } = key;
    return html`<li class="row">
      <span class="grow"><strong>${name}</strong> ${renderState(key)}
        <span class="told">${
          lastUsedAt === null
            ? say('neverUsed', { date: dateOf(createdAt) })
            : say('lastUsed', { date: dateOf(createdAt), used: dateOf(lastUsedAt) })
        }</span></span>
      ${isAlive(key) ? this.#renderRotate(key) : nothing}
      <confirm-button .label=${say('revoke')} .subject=${name} .action=${say('revokeKey')} .busy=${this.busy}
        .consequence=${say('keyRemoval', { soon: stopsWorking(this.site) })}
        @confirmed=${() => this.change('revokeKey', { path: { keyId } }, say('revoked', { name }))}></confirm-button>
      ${this.#rotating === keyId ? this.#renderRotation(key) : nothing}
    </li>`;
  }

  #renderRotate({ id, name }: Key): TemplateResult {
    const isOpen = this.#rotating === id;
    return html`<button type="button" class="plain" aria-label=${say('actOn', { act: say('rotate'), thing: name })} aria-expanded=${isOpen}
      @click=${() => this.#open(isOpen ? '' : id)}>${say('rotate')}</button>`;
  }

  #renderRotation(key: Key): TemplateResult {
    return html`<form class="fields whole" @submit=${(event: SubmitEvent) => this.#rotate(event, key)}>
      <p class="field number">
        <label for="overlap">${say('overlap')}</label>
        <input id="overlap" name="overlapDays" type="number" required min="0" max=${KEY_DAYS.overlapMax} value=${KEY_DAYS.overlap} />
      </p>
      ${renderDays('rotated-days')}
      <button type="submit" aria-disabled=${this.busy}>${say('createNewKey')}</button>
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
      return say('keyCreated');
    });
  }

  #rotate(event: SubmitEvent, { id: keyId, name }: Key): Promise<void> {
    const { overlapDays, days } = fieldsOf(event);
    return this.act('rotateKey', async () => {
      const body = { overlapDays: Number(overlapDays), days: daysOf(days) };
      await this.#take(await ask('rotateKey', { path: { clientId: this.client.id, keyId }, body }));
      this.#open('');
      return say('keyRotated', { name });
    });
  }

  /** Shows a new key, and the client with it. */
  async #take(created: CreatedKey): Promise<void> {
    this.#show(created);
    this.changed(await ask('client', { path: { clientId: this.client.id } }));
  }

  #forget(): void {
    this.#show(null);
    this.say(say('keyHidden'));
  }

  #show(created: CreatedKey | null): void {
    this.dispatchEvent(new CustomEvent(KEY_CREATED, { detail: created, bubbles: true }));
  }
}

function renderDays(id: string): TemplateResult {
  return html`<p class="field number">
    <label for=${id}>${say('expiresAfter')}</label>
    <input id=${id} name="days" type="number" min="1" max=${KEY_DAYS.max} placeholder=${say('never')} />
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
  if (!isAlive(key))
    return html`<span class="state" data-state="rejected">${say('expiredOn', { date: dateOf(expiresAt!) })}</span>`;
  return html`<span class="state" data-state="approved">${expiresAt === null ? say('state_approved') : say('activeUntil', { date: dateOf(expiresAt) })}</span>`;
}

customElements.define('keys-section', KeysSection);
