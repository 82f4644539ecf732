import { html, nothing, type TemplateResult } from 'lit';
import { ApiError, ask, OFFLINE } from '../api.ts';
import { BASE, currentPath, onMove } from '../navigation.ts';
import { Loaded } from '../parts/loaded.ts';
import { Panel } from '../parts/panel.ts';
import { DECIDED, HANDED_OVER } from '../queue/decided.ts';
import { count } from '../words.ts';

/** The frame of operators' pages. It loads their code when one is first shown, so that owners do not wait for it. */
class OperatorPages extends Panel {
  static override properties = { page: { attribute: false } };
  declare page: unknown;
  readonly #code = new Loaded(this, loadPages);
  readonly #waiting = new Loaded(this, () => ask('waiting'));
  #leave = () => {};

  override connectedCallback(): void {
    super.connectedCallback();
    this.#leave = onMove(() => void this.#waiting.reload());
    for (const decided of [DECIDED, HANDED_OVER]) this.addEventListener(decided, this.#count);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#leave();
    for (const decided of [DECIDED, HANDED_OVER]) this.removeEventListener(decided, this.#count);
  }

  readonly #count = (): void => void this.#waiting.reload();

  override render() {
    return html`${this.#renderNavigation()} ${this.#code.render(() => html`${this.page}`)}`;
  }

  /** On a phone, the entries are one line that moves sideways. The current entry must be in sight. */
  protected override updated(): void {
    const [list, here] = [this.querySelector('.console-nav ul'), this.querySelector('.console-nav [aria-current]')];
    if (list === null || !(here instanceof HTMLElement)) return;
    list.scrollLeft = here.offsetLeft - (list.clientWidth - here.offsetWidth) / 2;
  }

  #renderNavigation(): TemplateResult {
    const { gifs = 0, clients = 0, handovers = 0 } = this.#waiting.value ?? {};
    const here = placeOf(currentPath());
    const link = (to: string, name: string, waiting = 0) => {
      const isHere = to === here;
      return html`<li><a href=${`${BASE}${to}`} aria-current=${isHere ? 'page' : nothing}>${name}${
        waiting === 0
          ? nothing
          : html` <span class="waiting">${count(waiting)}<span class="visually-hidden"> waiting</span></span>`
      }</a></li>`;
    };
    return html`<nav class="console-nav" aria-label="Console">
      <ul>
        ${link('/review', 'Overview')} ${link('/review/catalogue', 'Catalogue')} ${link('/review/queue', 'Queue', gifs + clients)}
        ${link('/review/clients', 'Clients', handovers)} ${link('/review/jobs', 'Jobs')}
        ${link('/review/sources', 'Sources')} ${link('/review/builds', 'Builds')} ${link('/review/backups', 'Backups')}
        ${link('/review/languages', 'Languages')}
        ${link('/review/settings', 'Settings')} ${link('/review/audit', 'Activity')}
      </ul>
    </nav>`;
  }
}

/** Returns the path of the entry of the navigation to which a page belongs. */
function placeOf(path: string): string {
  if (path === '/review/gifs') return '/review/queue';
  // GIFs are mostly opened from the catalogue.
  if (path.startsWith('/review/gifs/')) return '/review/catalogue';
  return /^\/review(\/\w+)?/.exec(path)?.[0] ?? '';
}

async function loadPages(): Promise<true> {
  await import('./pages.ts').catch(() => {
    throw new ApiError(OFFLINE, 'This page could not be loaded. Check your connection, or reload the page.');
  });
  return true;
}

customElements.define('operator-pages', OperatorPages);
