import type { ImportDetails } from '@zoetrope/contract/account';
import { html, nothing, type TemplateResult } from 'lit';
import { ApiError, ask } from '../api.ts';
import { fieldsOf, Panel } from '../parts/panel.ts';
import { say } from '../words/operators.ts';
import { bytesInWords, count } from '../words.ts';
import { filesIn, picturesIn } from './dropped.ts';
import { newBatch, sendFile } from './upload.ts';

/** Number of files that are sent at the same time. */
const AT_ONCE = 3;
/** Pause before a file is sent again for which the service had no space, and between two checks of an import. */
const AGAIN_MS = 1_000;
const LOOK_MS = 1_000;

/** A file or an address that is added. */
interface Item {
  name: string;
  given: File | string;
  state: 'waiting' | 'sending' | 'sent' | 'added' | 'refused';
  /** The sent share of the file, from 0 to 1. */
  share: number;
  reason: string;
  /** The name under which the service stores it. */
  stored: string;
}

/** Adds files and addresses that are dropped, pasted or chosen anywhere on the page around it. */
class AddGifs extends Panel {
  static override properties = { maxFileBytes: { attribute: false }, whenAdded: { attribute: false } };
  /** Maximum size of a file; 0 while it is unknown. */
  declare maxFileBytes: number;
  declare whenAdded: () => Promise<void>;
  #items: Item[] = [];
  #isOpen = false;
  #leave = () => {};

  override connectedCallback(): void {
    super.connectedCallback();
    const leaving = new AbortController();
    const { signal } = leaving;
    const page = this.parentElement!;
    for (const type of ['dragenter', 'dragover'] as const) page.addEventListener(type, this.#hover, { signal });
    for (const type of ['dragleave', 'drop'] as const) {
      page.addEventListener(type, () => page.classList.remove('dropping'), { signal });
    }
    page.addEventListener('drop', (event) => this.#take(event, event.dataTransfer), { signal });
    document.addEventListener('paste', (event) => this.#paste(event), { signal });
    this.#leave = () => leaving.abort();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#leave();
  }

  override render() {
    return html`<details class="adding" ?open=${this.#isOpen}>
      <summary>${say('addGifs')}</summary>
      <div class="drop">
        <p><label class="above" for="add-files">${
          this.maxFileBytes === 0 ? say('dropHere') : say('dropHereLimit', { size: bytesInWords(this.maxFileBytes) })
        }</label>
          <input id="add-files" type="file" multiple accept=".gif,.webp,image/gif,image/webp" @change=${this.#choose} /></p>
        <p><label class="above" for="add-folder">${say('orFolder')}</label>
          <input id="add-folder" type="file" webkitdirectory @change=${this.#choose} /></p>
        <form class="inline" @submit=${this.#addAddresses}>
          <label for="add-urls">${say('urls')}</label>
          <input id="add-urls" name="urls" required maxlength="20000" placeholder="https://…" autocomplete="off" />
          <button type="submit" class="plain">${say('addUrls')}</button>
        </form>
        <form class="inline" @submit=${this.#addPath}>
          <label for="add-path">${say('pathOnServer')}</label>
          <input id="add-path" name="path" required maxlength="4000" placeholder="/srv/gifs" autocomplete="off" spellcheck="false" />
          <button type="submit" class="plain" aria-disabled=${this.busy}>${say('import')}</button>
        </form>
        ${this.renderDone()} ${this.renderFailed('path')}
        ${this.#items.length === 0 ? nothing : this.#renderItems()}
      </div>
    </details>`;
  }

  #renderItems(): TemplateResult {
    return html`<ul class="uploads" aria-label=${say('files')}>
      ${this.#items.map(
        ({ name, state, share, reason }) => html`<li data-state=${state}>
          <span class="long">${name}</span><span class="muted">${say(`upload_${state}`)}</span>
          ${state === 'sending' ? html`<progress max="1" .value=${share} aria-label=${say('sentOf', { name })}></progress>` : nothing}
          ${reason === '' ? nothing : html`<span class="failed">${reason}</span>`}
        </li>`,
      )}
    </ul>`;
  }

  readonly #hover = (event: DragEvent): void => {
    event.preventDefault();
    this.parentElement!.classList.add('dropping');
  };

  #paste(event: ClipboardEvent): void {
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement) return;
    this.#take(event, event.clipboardData);
  }

  #take(event: Event, data: DataTransfer | null): void {
    if (data === null) return;
    if (data.files.length > 0) {
      event.preventDefault();
      void filesIn(data).then((files) => this.#add(files));
      return;
    }
    const addresses = addressesIn(data.getData('text/plain'));
    if (addresses.length === 0) return;
    event.preventDefault();
    void this.#add(addresses);
  }

  #choose(event: Event): void {
    const input = event.currentTarget as HTMLInputElement;
    const files = [...(input.files ?? [])];
    input.value = '';
    void this.#add(input.webkitdirectory ? picturesIn(files) : files);
  }

  #addAddresses(event: SubmitEvent): void {
    const form = event.currentTarget as HTMLFormElement;
    const addresses = addressesIn(fieldsOf(event)['urls']!);
    if (addresses.length === 0) {
      this.say(say('notUrls'));
      return;
    }
    form.reset();
    void this.#add(addresses);
  }

  #addPath(event: SubmitEvent): Promise<void> {
    const { path } = fieldsOf(event);
    return this.act('path', async () => {
      const { id } = await ask('startImport', { body: { path } });
      return say('importStarted', { id });
    });
  }

  /** Sends files and addresses as one batch, and then adds the files and addresses that arrived. */
  async #add(given: readonly (File | string)[]): Promise<void> {
    const items = given.map((one): Item => {
      const name = typeof one === 'string' ? one : one.name;
      return { name, given: one, state: 'waiting', share: 0, reason: '', stored: '' };
    });
    this.#items = [...this.#items, ...items];
    this.#isOpen = true;
    this.requestUpdate();
    const batch = newBatch();
    const waiting = [...items];
    const sendNext = async () => {
      for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await this.#send(batch, item);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, sendNext));
    const sent = items.filter(({ state }) => state === 'sent');
    if (sent.length > 0) await this.#import(batch, sent);
    await this.whenAdded();
  }

  async #send(batch: string, item: Item): Promise<void> {
    this.#change(item, { state: 'sending' });
    try {
      const { name } = await this.#upload(batch, item);
      this.#change(item, { state: 'sent', stored: name });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code !== 'rate_limited') return this.#change(item, { state: 'refused', reason: error.message });
      await pause(AGAIN_MS);
      await this.#send(batch, item);
    }
  }

  #upload(batch: string, item: Item): ReturnType<typeof sendFile> {
    const { given } = item;
    if (typeof given === 'string') return ask('uploadAddress', { path: { batch }, body: { url: given } });
    if (this.maxFileBytes > 0 && given.size > this.maxFileBytes) {
      const sizes = { size: bytesInWords(given.size), most: bytesInWords(this.maxFileBytes) };
      throw new ApiError('validation', say('tooLarge', sizes));
    }
    return sendFile(batch, given, (share) => this.#change(item, { share }));
  }

  /** Starts the import of a batch and waits for its end. */
  async #import(batch: string, items: readonly Item[]): Promise<void> {
    try {
      let found: ImportDetails = await ask('startImport', { body: { batch } });
      while (found.endedAt === null && this.isConnected) {
        await pause(LOOK_MS);
        found = await ask('import', { path: { importId: String(found.id) } });
      }
      for (const item of items) this.#change(item, outcomeOf(item, found));
      this.say(
        say('addingSum', { added: count(found.added), known: count(found.known), refused: count(found.refused) }),
      );
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      for (const item of items) this.#change(item, { state: 'refused', reason: error.message });
    }
  }

  #change(item: Item, changes: Partial<Item>): void {
    Object.assign(item, changes);
    this.requestUpdate();
  }
}

function outcomeOf({ stored }: Item, { refusals }: ImportDetails): Partial<Item> {
  const refusal = refusals.find(({ key }) => key.endsWith(`/${stored}`));
  return refusal === undefined ? { state: 'added' } : { state: 'refused', reason: refusal.message };
}

/** Returns the web addresses in a text. */
function addressesIn(text: string): string[] {
  return text.split(/\s+/).filter((word) => /^https?:\/\/\S+$/i.test(word));
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

customElements.define('add-gifs', AddGifs);
