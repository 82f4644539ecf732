import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { ApiError } from '../api.ts';

/** Name of the event that tells the app that the session is over. */
export const SESSION_OVER = 'session-over';

/**
 * A part of the dashboard that does things. It renders into the page itself, so that one stylesheet and labels by id
 * reach everything.
 */
export abstract class Panel extends LitElement {
  /** Whether something is under way. Buttons say so but stay where they are: a disabled one would lose the focus. */
  protected busy = false;
  #done = '';
  #failed: { where: string; message: string } | null = null;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  /**
   * Does one thing at a time and tells how it went: what was done in the words that `act` returns, what failed beside
   * the form that it was asked in.
   * @param where name of the form
   */
  protected async act(where: string, act: () => Promise<string>): Promise<void> {
    if (this.busy) return;
    this.#show({ busy: true, done: '', failed: null });
    try {
      this.#show({ busy: false, done: await act(), failed: null });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.#show({ busy: false, done: '', failed: { where, message: error.message } });
      tellIfOver(this, error);
    } finally {
      this.busy = false;
      setTimeout(() => this.#keepFocus());
    }
  }

  /** Says what was done, to screen readers too. */
  protected say(done: string): void {
    this.#show({ busy: this.busy, done, failed: null });
  }

  /** Where what was done is said; once in each panel, always there. */
  protected renderDone(): TemplateResult {
    return html`<p role="status" tabindex="-1" class=${this.#done ? 'done' : 'visually-hidden'}>${this.#done}</p>`;
  }

  /** Where a form says what failed. */
  protected renderFailed(where: string): TemplateResult | typeof nothing {
    return this.#failed?.where === where ? html`<p role="alert" class="failed">${this.#failed.message}</p>` : nothing;
  }

  /** What was pressed may be gone with what it belonged to; who has no mouse goes on from what was said. */
  #keepFocus(): void {
    if (document.activeElement === document.body) this.querySelector<HTMLElement>('[role=status]')?.focus();
  }

  #show(now: { busy: boolean; done: string; failed: { where: string; message: string } | null }): void {
    this.busy = now.busy;
    this.#done = now.done;
    this.#failed = now.failed;
    this.requestUpdate();
  }
}

/** Leads back to signing in when the service does not know the session any more. */
export function tellIfOver(element: HTMLElement, error: ApiError): void {
  if (error.code === 'not_signed_in') element.dispatchEvent(new Event(SESSION_OVER, { bubbles: true }));
}

/** The texts of a form's fields, by name. */
export function fieldsOf(event: SubmitEvent): Record<string, string> {
  event.preventDefault();
  const fields: Record<string, string> = {};
  for (const [name, value] of new FormData(event.currentTarget as HTMLFormElement)) fields[name] = String(value).trim();
  return fields;
}
