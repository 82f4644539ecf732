import type { Account, Site } from '@zoetrope/contract/account';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { ApiError, ask, rememberCsrf } from './api.ts';
import { BASE, currentPath, go, onMove } from './navigation.ts';
import { NOTICES_READ } from './notices-page.ts';
import { pageAt } from './pages.ts';
import { Loaded } from './parts/loaded.ts';
import { SESSION_OVER } from './parts/panel.ts';
import { SIGNED_IN } from './sign-in/sign-in-page.ts';
import { directionOf, LANGUAGE, LANGUAGES } from './words/language.ts';
import { loadTexts, rich, say } from './words/owners.ts';
import { shortened } from './words.ts';

/** The whole dashboard: one element that renders the page for the current URL. */
class Dashboard extends LitElement {
  readonly #start = new Loaded(this, loadStart);
  /** Whether a session has ended while this page was open. */
  #ended = false;
  #leave = () => {};
  /** The page that was rendered last, or null before the first page. */
  #shown: string | null = null;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  constructor() {
    super();
    this.addEventListener(SIGNED_IN, (event) => this.#signedIn((event as CustomEvent<Account>).detail));
    this.addEventListener(SESSION_OVER, () => this.#signedOut(true));
    this.addEventListener(NOTICES_READ, () => this.#noticesRead());
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#leave = onMove(() => this.requestUpdate());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#leave();
  }

  override render() {
    const account = this.#start.value?.account ?? null;
    return html`<a class="skip" href="#main">${say('skip')}</a>
      <header class="top">
        <a class="brand" href="${BASE}/"><img src="${BASE}/../icon.svg" alt="" width="32" height="32" />Zoetrope</a>
        ${account ? this.#renderNavigation(account) : renderStrangers()}
      </header>
      ${this.#start.value?.site.fee.provider === 'demo' ? renderDemonstration() : nothing}
      <main id="main" tabindex="-1">${this.#start.value ? nothing : html`<h1>${say('dashboard')}</h1>`} ${this.#start.render((start) => this.#renderPage(start))}</main>
      ${renderFooter()}`;
  }

  /** Announces a page change, also to screen readers. */
  protected override updated(): void {
    const start = this.#start.value;
    if (start === undefined) return;
    const page = start.account ? currentPath() : 'sign-in';
    const { title } = start.account ? pageAt(currentPath(), start.account) : { title: say('signIn') };
    document.title = `${title} · ${start.site.attribution}`;
    if (this.#shown !== null && this.#shown !== page) {
      window.scrollTo(0, 0);
      this.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true });
    }
    this.#shown = page;
  }

  #renderNavigation({ npub, isOperator, isMember, unread }: Account): TemplateResult {
    const path = currentPath();
    const isQueue = path === '/review/queue' || path === '/review/gifs';
    const link = (to: string, name: string, isHere: boolean) =>
      html`<a href=${`${BASE}${to}`} aria-current=${isHere ? 'page' : nothing}>${name}</a>`;
    return html`<nav aria-label=${say('dashboard')}>
      ${link('/', say('clients'), path === '' || path.startsWith('/clients') || path === '/register')}
      ${isOperator ? html`${link('/review/queue', say('queue'), isQueue)} ${link('/review', say('console'), path.startsWith('/review') && !isQueue)}` : nothing}
      ${isMember ? link('/uploads', say('uploads'), path === '/uploads') : nothing}
      ${link('/notices', unread === 0 ? say('notices') : say('noticesUnread', { n: unread }), path === '/notices')}
      ${link('/sessions', say('sessions'), path === '/sessions')}
      <span class="who" title=${npub}>${shortened(npub)}</span>
    </nav>`;
  }

  #renderPage({ site, account }: Start): TemplateResult {
    if (account === null) return html`<sign-in-page .site=${site} ?ended=${this.#ended}></sign-in-page>`;
    return html`${pageAt(currentPath(), account).render({ site, account, signedOut: () => this.#signedOut(false) })}`;
  }

  #signedIn(account: Account): void {
    this.#ended = false;
    const { site } = this.#start.value!;
    // An account can also arrive because its user has become the first operator.
    const claimable = site.claimable && !account.isOperator;
    this.#start.set({ site: { ...site, claimable, reviewed: site.reviewed || account.isOperator }, account });
  }

  #noticesRead(): void {
    const start = this.#start.value;
    if (start?.account) this.#start.set({ ...start, account: { ...start.account, unread: 0 } });
  }

  #signedOut(ended: boolean): void {
    const start = this.#start.value;
    if (start === undefined || start.account === null) return;
    this.#ended = ended;
    this.#start.set({ ...start, account: null });
    if (!ended) go('/');
  }
}

/** Pages of the service, for people who have not signed in. */
function renderStrangers(): TemplateResult {
  return html`<nav aria-label="Zoetrope"><a href="${BASE}/../">${say('searchGifs')}</a> <a href="${BASE}/../developers">${say('developers')}</a></nav>`;
}

function renderFooter(): TemplateResult {
  return html`<footer class="foot">
  <a href="${BASE}/../privacy">${say('privacy')}</a> <a href="${BASE}/../status">${say('status')}</a> <a href="${BASE}/../developers/api">API</a>
  <a href="${BASE}/../report">${say('reportGif')}</a>
  ${renderLanguages()}
</footer>`;
}

/** The links with which the service stores the chosen language and opens this page again. */
function renderLanguages(): TemplateResult {
  const at = encodeURIComponent(`/dashboard${currentPath()}${location.search}`);
  return html`<details class="languages"><summary>${say('language')}: ${LANGUAGES[LANGUAGE]}</summary><ul>${Object.entries(
    LANGUAGES,
  ).map(
    ([code, name]) => html`<li><a href=${`${BASE}/../language?to=${code}&at=${at}`} lang=${code} hreflang=${code}
      aria-current=${code === LANGUAGE ? 'true' : nothing}>${name}</a></li>`,
  )}</ul></details>`;
}

/** A note on every page of a service whose wallet has no real money. */
function renderDemonstration(): TemplateResult {
  return html`<aside class="demonstration" aria-label=${say('demonstration')}>${rich('demonstrationTold')}</aside>`;
}

interface Start {
  site: Site;
  /** The signed-in account, or null when nobody is signed in. */
  account: Account | null;
}

async function loadStart(): Promise<Start> {
  const [site, account] = await Promise.all([ask('site'), ask('account').catch(nobody)]);
  if (account) rememberCsrf(account.csrf);
  return { site, account };
}

function nobody(error: unknown): null {
  if (error instanceof ApiError && error.code === 'not_signed_in') return null;
  throw error;
}

/** Shows the dashboard as soon as the texts of its language are loaded. */
export async function showDashboard(): Promise<void> {
  const language = await loadTexts();
  Object.assign(document.documentElement, { lang: language, dir: directionOf(language) });
  customElements.define('zoetrope-dashboard', Dashboard);
}
