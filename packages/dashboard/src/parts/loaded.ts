import { html, type ReactiveController, type ReactiveControllerHost, type TemplateResult } from 'lit';
import { ApiError, OFFLINE } from '../api.ts';
import { say } from '../words/owners.ts';
import { tellIfOver } from './panel.ts';

/** A value that a panel loads from the service, with its loading and error states. */
export class Loaded<Value> implements ReactiveController {
  readonly #host: ReactiveControllerHost & HTMLElement;
  readonly #load: () => Promise<Value>;
  #value: Value | undefined;
  #error: ApiError | undefined;
  /** Number of the latest request. Responses to earlier requests are dropped. */
  #turn = 0;

  constructor(host: ReactiveControllerHost & HTMLElement, load: () => Promise<Value>) {
    this.#host = host;
    this.#load = load;
    host.addController(this);
  }

  hostConnected(): void {
    window.addEventListener('online', this.#retry);
    void this.reload();
  }

  hostDisconnected(): void {
    window.removeEventListener('online', this.#retry);
    this.#turn++;
  }

  get value(): Value | undefined {
    return this.#value;
  }

  /** Sets a newer value that arrived in another response. */
  set(value: Value): void {
    this.#value = value;
    this.#error = undefined;
    this.#turn++;
    this.#host.requestUpdate();
  }

  async reload(): Promise<void> {
    const turn = ++this.#turn;
    this.#error = undefined;
    this.#host.requestUpdate();
    try {
      const value = await this.#load();
      if (turn === this.#turn) this.set(value);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (turn !== this.#turn) return;
      this.#error = error;
      this.#host.requestUpdate();
      tellIfOver(this.#host, error);
    }
  }

  /** Renders the value or the error. During a reload, the previous value stays visible. */
  render(view: (value: Value) => TemplateResult): TemplateResult {
    if (this.#error !== undefined) {
      return html`<div class="card failed" role="alert">
        <p>${this.#error.message}</p>
        <p><button type="button" @click=${() => this.reload()}>${say('tryAgain')}</button></p>
      </div>`;
    }
    return this.#value === undefined ? html`<p role="status" class="muted">${say('loading')}</p>` : view(this.#value);
  }

  readonly #retry = () => {
    if (this.#error?.code === OFFLINE) void this.reload();
  };
}
