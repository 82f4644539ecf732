import type { Account, Site } from '@zoetrope/contract/account';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { ApiError } from '../api.ts';
import { rich, say } from '../words/owners.ts';
import { hasExtension, signByExtension } from './extension.ts';
import { SignInError, signIn } from './login.ts';
import type { Remote } from './remote.ts';

/** Event that carries the account after signing in. */
export const SIGNED_IN = 'signed-in';

/**
 * Maximum number of attempts to find an extension. Several attempts are needed because an extension can load shortly
 * after the page.
 */
const LOOKS = 10;
const LOOK_MS = 300;

/** A sign-in attempt in progress, with the message shown to the user. */
interface Attempt {
  way: 'extension' | 'bunker' | 'code';
  told: string;
  /** URL for a remote signer to scan or open. */
  uri: string;
  picture: TemplateResult | typeof nothing;
  /** URL of the page that the signer wants the user to visit first. */
  authorise: string;
  stop: AbortController;
}

/** Explains the service and lets people sign in. */
class SignInPage extends LitElement {
  static override properties = { site: { attribute: false }, ended: { type: Boolean } };
  declare site: Site;
  /** Whether a session has just ended. */
  declare ended: boolean;
  #attempt: Attempt | null = null;
  #failed: { way: Attempt['way']; message: string } | null = null;
  #looks = 0;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#lookForExtension();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#attempt?.stop.abort();
    this.#looks = LOOKS;
  }

  override render() {
    const { operator, fee, attribution } = this.site;
    const line = html`<a href=${operator.url} target="_blank" rel="noopener noreferrer">${attribution}</a>`;
    const price = fee.sats === 0 ? say('free') : say('price', { n: fee.sats });
    return html`
      <h1>${say('signInTitle')}</h1>
      ${this.ended ? html`<p class="card" role="status">${say('sessionEnded')}</p>` : nothing}
      <p class="lead">${rich('lead', { operator: operator.name, price, line })}</p>
      <p>${say('noPassword')}</p>
      <div class="cards">${this.#renderExtension()}${this.site.relays.length === 0 ? nothing : this.#renderCode()}${this.#renderBunker()}</div>`;
  }

  #renderExtension(): TemplateResult {
    const there = hasExtension();
    return html`<section class="card" aria-labelledby="by-extension">
      <h2 id="by-extension">${say('extension')}</h2>
      ${
        there || this.#looks < LOOKS
          ? html`<p id="extension-hint">${say('extensionHint')}</p>`
          : html`<p id="extension-hint">${say('extensionMissing')}</p>`
      }
      <p><button type="button" aria-describedby="extension-hint" ?disabled=${!there} aria-disabled=${!there || this.#attempt !== null} @click=${this.#byExtension}>${say('signInExtension')}</button></p>
      ${this.#renderAttempt('extension')}
    </section>`;
  }

  #renderCode(): TemplateResult {
    return html`<section class="card" aria-labelledby="by-code">
      <h2 id="by-code">${say('phone')}</h2>
      <p id="code-hint">${say('phoneHint')}</p>
      <p><button type="button" aria-describedby="code-hint" aria-disabled=${this.#attempt !== null} @click=${this.#byCode}>${say('showCode')}</button></p>
      ${this.#renderAttempt('code')}
    </section>`;
  }

  #renderBunker(): TemplateResult {
    return html`<section class="card" aria-labelledby="by-bunker">
      <h2 id="by-bunker">${say('bunker')}</h2>
      <form @submit=${this.#byBunker}>
        <label class="above" for="bunker">${say('bunkerHint')}</label>
        <input id="bunker" name="bunker" required autocomplete="off" spellcheck="false" placeholder="bunker://…" />
        <p><button type="submit" aria-disabled=${this.#attempt !== null}>${say('signInBunker')}</button></p>
      </form>
      ${this.#renderAttempt('bunker')}
    </section>`;
  }

  #renderAttempt(way: Attempt['way']): TemplateResult {
    const attempt = this.#attempt?.way === way ? this.#attempt : null;
    const failed =
      this.#failed?.way === way ? html`<p role="alert" class="failed">${this.#failed.message}</p>` : nothing;
    return html`${attempt?.picture ?? nothing}
      ${
        attempt?.uri
          ? html`<p><a href=${attempt.uri}>${say('openSigner')}</a></p>
            <copy-button .text=${attempt.uri} .label=${say('connectionUrl')}></copy-button>`
          : nothing
      }
      <p role="status">${attempt?.told ?? ''}</p>
      ${
        attempt?.authorise
          ? html`<p><a href=${attempt.authorise} target="_blank" rel="noopener noreferrer">${say('signerAsks', { host: new URL(attempt.authorise).host })}</a></p>`
          : nothing
      }
      ${attempt ? html`<p><button type="button" class="plain" @click=${() => attempt.stop.abort()}>${say('cancel')}</button></p>` : nothing}
      ${failed}`;
  }

  #byExtension(): Promise<void> {
    return this.#try('extension', say('confirmExtension'), ({ signal }) => signIn(signByExtension, signal));
  }

  #byBunker(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const input = String(new FormData(form).get('bunker')).trim();
    return this.#try('bunker', say('waitingSigner'), async (remote) => {
      const { signInByBunker } = await import('./remote.ts');
      return signInByBunker(input, remote).catch((error) => {
        // The one-time secret in the entered URL has been used.
        form.reset();
        throw error;
      });
    });
  }

  #byCode(): Promise<void> {
    return this.#try('code', say('scanCode'), async (remote) => {
      const { offerConnection, qrCode } = await import('./remote.ts');
      remote.signal.throwIfAborted();
      const { uri, account } = offerConnection(this.site.relays, remote);
      this.#note({ uri, picture: qrCode(uri, say('codeAlt')) });
      return account;
    });
  }

  async #try(way: Attempt['way'], told: string, act: (remote: Remote) => Promise<Account>): Promise<void> {
    if (this.#attempt !== null) return;
    const stop = new AbortController();
    this.#failed = null;
    this.#attempt = { way, told, uri: '', picture: nothing, authorise: '', stop };
    this.requestUpdate();
    try {
      const account = await untilStopped(
        act({
          signal: stop.signal,
          onAuthorise: (authorise) => this.#note({ authorise }),
          onConnected: () => this.#note({ told: say('signerConnected'), uri: '', picture: nothing }),
        }),
        stop.signal,
      );
      this.dispatchEvent(new CustomEvent(SIGNED_IN, { detail: account, bubbles: true }));
    } catch (error) {
      if (!stop.signal.aborted) this.#failed = { way, message: wordsOf(error) };
    }
    this.#attempt = null;
    this.requestUpdate();
  }

  #note(news: Partial<Attempt>): void {
    if (this.#attempt === null) return;
    this.#attempt = { ...this.#attempt, ...news };
    this.requestUpdate();
  }

  #lookForExtension(): void {
    this.requestUpdate();
    if (hasExtension() || ++this.#looks >= LOOKS) return;
    setTimeout(() => this.#lookForExtension(), LOOK_MS);
  }
}

/** Stops waiting when the user cancels, even if the signer never responds. */
function untilStopped<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const stopped = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  return Promise.race([promise, stopped]);
}

function wordsOf(error: unknown): string {
  if (error instanceof SignInError || error instanceof ApiError) return error.message;
  console.error(error);
  return say('wentWrong');
}

customElements.define('sign-in-page', SignInPage);
