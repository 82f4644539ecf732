import type { CatalogueGif, GifExplanation, CataloguePage as Page } from '@zoetrope/contract/account';
import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { ask } from '../api.ts';
import { API, BASE } from '../navigation.ts';
import { Loaded } from '../parts/loaded.ts';
import { fieldsOf, Panel } from '../parts/panel.ts';
import { count } from '../words.ts';
import './add-gifs.ts';
import './bulk-bar.ts';
import { say } from '../words/operators.ts';
import { CHANGED, type Changed } from './bulk-bar.ts';
import { renderExplanation } from './explanation.ts';
import { hindrancesOf, isDelicate, nameOfRating, namesOneGif } from './gif-words.ts';
import { Selection } from './selection.ts';

/** Number of GIFs that a page tries to show, and of requests that it sends for them. A request reads 5,000 records. */
const WANTED = 24;
const MOST_REQUESTS = 40;

type Query = Record<string, string>;

/** What the page shows: the GIFs of all requests so far. */
interface Results extends Page {
  explanation: GifExplanation | null;
}

/** The whole catalogue: search, filters, actions on several GIFs, and adding. */
class CataloguePage extends Panel {
  #query: Query = Object.fromEntries(new URLSearchParams(location.search));
  #unveiled = false;
  readonly #selection = new Selection();
  readonly #shown = new Loaded(this, () => this.#load());

  constructor() {
    super();
    this.addEventListener(CHANGED, (event) => this.#replace((event as CustomEvent<Changed>).detail));
  }

  override render() {
    const { maxFileBytes } = this.#shown.value ?? {};
    return html`<h1>${say('catalogue')}</h1>
      ${this.#renderSearch()}
      <add-gifs .maxFileBytes=${maxFileBytes ?? 0} .whenAdded=${() => this.#shown.reload()}></add-gifs>
      ${this.renderDone()} ${this.renderFailed('search')}
      <h2 class="visually-hidden">${say('gifs')}</h2>
      ${this.#shown.render((shown) => this.#renderShown(shown))}`;
  }

  #renderSearch(): TemplateResult {
    const { q = '', source = '', wordless = '' } = this.#query;
    return html`<form role="search" class="filters" @submit=${this.#search} @change=${this.#filter}>
      <p class="field words"><label for="catalogue-q">${say('catalogueSearch')}</label>
        <input id="catalogue-q" name="q" type="search" maxlength="2000" autocomplete="off" .value=${q} /></p>
      ${this.#renderChoice('state', say('stateLabel'), states())} ${this.#renderChoice('rating', say('ratingLabel'), ratings())}
      ${this.#renderChoice('format', say('formatLabel'), formats())}
      <p class="field"><label for="catalogue-source">${say('sourceLabel')}</label>
        <input id="catalogue-source" name="source" maxlength="200" size="12" placeholder=${say('any')} .value=${source} /></p>
      <p class="field"><label class="check"><input type="checkbox" name="wordless" value="1" .checked=${wordless === '1'} /> ${say('withoutWords')}</label></p>
      <p class="field"><button type="submit" aria-disabled=${this.busy}>${say('search')}</button></p>
    </form>`;
  }

  #renderChoice(name: string, label: string, options: Readonly<Record<string, string>>): TemplateResult {
    const chosen = this.#query[name] ?? '';
    return html`<p class="field"><label for=${`catalogue-${name}`}>${label}</label>
      <select id=${`catalogue-${name}`} name=${name}>
        ${Object.entries(options).map(
          ([value, text]) => html`<option value=${value} ?selected=${value === chosen}>${text}</option>`,
        )}
      </select></p>`;
  }

  #renderShown({ gifs, next, explanation }: Results): TemplateResult {
    if (explanation !== null) return html`${renderExplanation(explanation)} ${this.#renderGrid(gifs)}`;
    return html`${gifs.length === 0 && next === '' ? this.#renderNone() : this.#renderGrid(gifs)}
      ${
        next === ''
          ? nothing
          : html`<p><button type="button" class="plain" aria-disabled=${this.busy} @click=${this.#more}>
              ${gifs.length === 0 ? say('lookFurther') : say('showMore')}</button></p>`
      }`;
  }

  #renderNone(): TemplateResult {
    const isFiltered = Object.values(this.#query).some((value) => value !== '');
    return html`<p class="card muted">${isFiltered ? say('noGifMatches') : say('catalogueEmpty')}</p>`;
  }

  #renderGrid(gifs: readonly CatalogueGif[]): TemplateResult {
    const selected = this.#selection.ids;
    return html`<p class="row">
        <button type="button" class="plain" @click=${() => this.#select(() => this.#selection.addAll(gifs.map(({ id }) => id)))}>${say('selectAll', { n: count(gifs.length) })}</button>
        ${
          gifs.some(isDelicate)
            ? html`<button type="button" class="plain" aria-pressed=${this.#unveiled} @click=${this.#unveil}>${say('unveil')}</button>`
            : nothing
        }
      </p>
      <ul class="gif-grid" @keydown=${this.#move}>
        ${repeat(
          gifs,
          ({ id }) => id,
          (gif) => this.#renderTile(gif),
        )}
      </ul>
      <bulk-bar .selected=${selected} .whenCleared=${() => this.#select(() => this.#selection.clear())}></bulk-bar>`;
  }

  #renderTile(gif: CatalogueGif): TemplateResult {
    const { id, title, tags } = gif;
    const name = title || id.slice(0, 12);
    const still = `${API}/review/gifs/${encodeURIComponent(id)}/picture?still`;
    const isVeiled = isDelicate(gif) && !this.#unveiled;
    const hindrances = hindrancesOf(gif);
    return html`<li class="tile">
      <label><input type="checkbox" aria-label=${say('actOn', { act: say('select'), thing: name })} data-id=${id} .checked=${this.#selection.has(id)}
          @click=${(event: MouseEvent) => this.#check(event, id)} />
        <span class="still"><img class=${isVeiled ? 'veiled' : ''} src=${still} alt="" loading="lazy" decoding="async" /></span>
      </label>
      <p><a href=${`${BASE}/review/gifs/${id}`} title=${tags.join(', ')}>${name}</a>
        ${hindrances.length === 0 ? nothing : html`<span class="hindrance">${hindrances.join(say('comma'))}</span>`}</p>
    </li>`;
  }

  /** Searches until there are enough GIFs, because a response can have few GIFs although there are more. */
  async #load(): Promise<Results> {
    const q = this.#query['q'] ?? '';
    if (namesOneGif(q)) {
      const explanation = await ask('explainGif', { query: { q } });
      return { gifs: explanation.gifs, next: '', maxFileBytes: this.#shown.value?.maxFileBytes ?? 0, explanation };
    }
    return { ...(await this.#collect([], '')), explanation: null };
  }

  async #collect(known: readonly CatalogueGif[], after: string): Promise<Page> {
    const gifs = new Map(known.map((gif) => [gif.id, gif]));
    let page: Page;
    let next = after;
    let requests = 0;
    do {
      page = await ask('catalogue', { query: { ...this.#query, after: next } });
      for (const gif of page.gifs) gifs.set(gif.id, gif);
      next = page.next;
    } while (next !== '' && gifs.size < known.length + WANTED && ++requests < MOST_REQUESTS);
    return { ...page, gifs: [...gifs.values()] };
  }

  #search(event: SubmitEvent): Promise<void> {
    return this.#show(fieldsOf(event));
  }

  #filter(event: Event): void {
    // Words are searched when the form is sent.
    if ((event.target as HTMLInputElement).name !== 'q') (event.currentTarget as HTMLFormElement).requestSubmit();
  }

  #show(given: Query): Promise<void> {
    this.#query = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''));
    const query = new URLSearchParams(this.#query).toString();
    history.replaceState(null, '', query === '' ? location.pathname : `?${query}`);
    this.#selection.clear();
    return this.act('search', async () => {
      const shown = await this.#load();
      this.#shown.set(shown);
      const n = shown.gifs.length;
      return shown.next === '' ? say('nFound', { n }) : say('nOrMoreFound', { n });
    });
  }

  readonly #more = (): Promise<void> =>
    this.act('search', async () => {
      const shown = this.#shown.value!;
      const more = await this.#collect(shown.gifs, shown.next);
      this.#shown.set({ ...shown, ...more });
      return say('showingMore', { n: count(more.gifs.length - shown.gifs.length) });
    });

  /** Shows the new states of GIFs. */
  #replace({ gifs }: Changed): void {
    const shown = this.#shown.value;
    if (shown === undefined) return;
    const now = new Map(gifs.map((gif) => [gif.id, gif]));
    this.#shown.set({ ...shown, gifs: shown.gifs.map((gif) => now.get(gif.id) ?? gif) });
  }

  #check(event: MouseEvent, id: string): void {
    const { checked } = event.currentTarget as HTMLInputElement;
    const list = this.#shown.value!.gifs.map((gif) => gif.id);
    this.#select(() => {
      if (event.shiftKey) this.#selection.extend(id, list);
      else this.#selection.set(id, checked);
    });
  }

  #select(change: () => void): void {
    change();
    this.requestUpdate();
  }

  readonly #unveil = (): void => {
    this.#unveiled = !this.#unveiled;
    this.requestUpdate();
  };

  /** Moves the focus between tiles with the arrow keys. With Shift, selects them on the way. */
  #move(event: KeyboardEvent): void {
    const boxes = [...this.querySelectorAll<HTMLInputElement>('.tile input')];
    const at = boxes.indexOf(event.target as HTMLInputElement);
    if (at < 0) return;
    const tiles = getComputedStyle(this.querySelector('.gif-grid')!).gridTemplateColumns.split(' ').length;
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -tiles, ArrowDown: tiles }[event.key];
    const next = step === undefined ? undefined : boxes[at + step];
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
    if (!event.shiftKey) return;
    const list = boxes.map(({ dataset }) => dataset['id']!);
    this.#select(() => {
      this.#selection.set(list[at]!, true);
      this.#selection.extend(next.dataset['id']!, list);
    });
  }
}

function states(): Readonly<Record<string, string>> {
  return {
    '': say('any'),
    shown: say('filter_shown'),
    hidden: say('filter_hidden'),
    operator: say('filter_operator'),
    dead: say('filter_dead'),
    blocked: say('filter_blocked'),
    withdrawn: say('filter_withdrawn'),
    waiting: say('filter_waiting'),
  };
}

function ratings(): Readonly<Record<string, string>> {
  const rated = ['safe', 'adult', 'review', 'unrated'].map((rating) => [rating, nameOfRating(rating)]);
  return { '': say('any'), ...Object.fromEntries(rated), none: say('rating_none') };
}

function formats(): Readonly<Record<string, string>> {
  return { '': say('any'), gif: 'GIF', webp: 'WebP' };
}

customElements.define('catalogue-page', CataloguePage);
