import type { MemberUpload, MemberUploads } from '@zoetrope/contract/account';
import { html, nothing, type TemplateResult } from 'lit';
import { ApiError, ask, askWithFile } from './api.ts';
import { API } from './navigation.ts';
import { Loaded } from './parts/loaded.ts';
import { Panel } from './parts/panel.ts';
import { say } from './words/owners.ts';
import { bytesInWords, momentOf } from './words.ts';

/** Pause between two looks at files that the service has not read yet. */
const LOOK_MS = 2_000;

/** The files that the user has uploaded, and a form for more. Only members see this page. */
class UploadsPage extends Panel {
  readonly #list = new Loaded(this, () => this.#load());
  #timer: ReturnType<typeof setTimeout> | undefined;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
  }

  override render() {
    return html`<h1>${say('uploads')}</h1>
      <p>${say('uploadsNote')}</p>
      <div class="card">
        <p><label class="above" for="own-files">${say('uploadFiles')}</label>
          <input id="own-files" type="file" multiple accept=".gif,.webp,image/gif,image/webp" aria-disabled=${this.busy} @change=${this.#choose} /></p>
        ${this.renderDone()} ${this.renderFailed('upload')}
      </div>
      ${this.renderFailed('delete')}
      ${this.#list.render((list) => this.#renderList(list))}`;
  }

  #renderList({ uploads, used, quota }: MemberUploads): TemplateResult {
    const values = { files: used.files, maxFiles: quota.files };
    const bytes = { bytes: bytesInWords(used.bytes), maxBytes: bytesInWords(quota.bytes) };
    return html`<p class="muted">${say('uploadsUsed', { ...values, ...bytes })}</p>
      ${
        uploads.length === 0
          ? html`<p class="card muted">${say('noUploads')}</p>`
          : html`<ul class="rows">${uploads.map((upload) => this.#renderUpload(upload))}</ul>`
      }`;
  }

  #renderUpload({ sha256, bytes, at, state, reason }: MemberUpload): TemplateResult {
    const name = sha256.slice(0, 12);
    const isShown = state === 'waiting' || state === 'accepted';
    return html`<li class="card row" data-state=${state}>
      <span class="thumb">${isShown ? html`<img src=${`${API}/uploads/files/${sha256}/picture`} alt="" loading="lazy" />` : nothing}</span>
      <span class="grow">${state === 'refused' ? say('own_refused', { reason }) : say(`own_${state}`)}<br />
        <span class="muted">${momentOf(at)} · ${bytesInWords(bytes)} · <code>${name}</code></span></span>
      ${
        state === 'processing'
          ? nothing
          : html`<confirm-button .label=${say('remove')} .subject=${name} .action=${say('deleteFile')} .busy=${this.busy}
              .consequence=${say('fileDeletes')} @confirmed=${() => this.#delete(sha256)}></confirm-button>`
      }
    </li>`;
  }

  #delete(sha256: string): Promise<void> {
    return this.act('delete', async () => {
      await ask('deleteOwn', { path: { sha256 } });
      await this.#list.reload();
      return say('removed', { value: sha256.slice(0, 12) });
    });
  }

  async #load(): Promise<MemberUploads> {
    const list = await ask('uploads');
    clearTimeout(this.#timer);
    if (this.isConnected && list.uploads.some(({ state }) => state === 'processing')) {
      this.#timer = setTimeout(() => void this.#list.reload(), LOOK_MS);
    }
    return list;
  }

  #choose(event: Event): Promise<void> {
    const input = event.currentTarget as HTMLInputElement;
    const files = [...(input.files ?? [])];
    return this.act('upload', async () => {
      const done: string[] = [];
      const failed: string[] = [];
      for (const file of files) {
        const { name } = file;
        try {
          await askWithFile('uploadOwn', { path: { name } }, file);
          done.push(say('uploadDone', { name }));
        } catch (error) {
          if (!(error instanceof ApiError) || error.code === 'not_signed_in') throw error;
          failed.push(say('uploadFailed', { name, reason: error.message }));
        }
      }
      input.value = '';
      await this.#list.reload();
      if (failed.length > 0) throw new ApiError('validation', failed.join(' '));
      return done.join(' ');
    });
  }
}

customElements.define('uploads-page', UploadsPage);
