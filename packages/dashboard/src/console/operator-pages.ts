import { html, nothing, type TemplateResult } from 'lit';
import { ApiError, ask, OFFLINE } from '../api.ts';
import { BASE, currentPath, onMove } from '../navigation.ts';
import { Loaded } from '../parts/loaded.ts';
import { Panel } from '../parts/panel.ts';
import { DECIDED, HANDED_OVER } from '../queue/decided.ts';
import { say } from '../words/owners.ts';
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
          : html` <span class="waiting"><span aria-hidden="true">${count(waiting)}</span
              ><span class="visually-hidden">${say('waiting', { n: waiting })}</span></span>`
      }</a></li>`;
    };
    return html`<nav class="console-nav" aria-label=${say('console')}>
      <ul>
        ${link('/review', say('overview'))} ${link('/review/catalogue', say('catalogue'))} ${link('/review/queue', say('queue'), gifs + clients)}
        ${link('/review/clients', say('clients'), handovers)} ${link('/review/jobs', say('jobs'))}
        ${link('/review/sources', say('sources'))} ${link('/review/builds', say('builds'))} ${link('/review/backups', say('backups'))}
        ${link('/review/languages', say('languages'))}
        ${link('/review/settings', say('settings'))} ${link('/review/audit', say('activity'))}
      </ul>
    </nav>`;
  }
}

/** Returns the path of the navigation entry to which a page belongs. */
function placeOf(path: string): string {
  if (path === '/review/gifs') return '/review/queue';
  // GIFs are mostly opened from the catalogue.
  if (path.startsWith('/review/gifs/')) return '/review/catalogue';
  return /^\/review(\/\w+)?/.exec(path)?.[0] ?? '';
}

async function loadPages(): Promise<true> {
  const { loadTexts } = await import('./pages.ts').catch(() => {
    throw new ApiError(OFFLINE, say('notLoaded'));
  });
  await loadTexts();
  return true;
}

customElements.define('operator-pages', OperatorPages);
