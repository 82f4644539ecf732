import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { ApiError } from '../api.ts';

/** Event fired when the session has ended. */
export const SESSION_OVER = 'session-over';

/**
 * A part of the dashboard that performs actions. It renders without a shadow root, so that one stylesheet applies to
 * all parts, and labels can refer to ids in all parts.
 */
export abstract class Panel extends LitElement {
  /**
   * Whether an action is running. Buttons stay enabled during the action, because a disabled button would lose the
   * focus.
   */
  protected busy = false;
  #done = '';
  #failed: { where: string; message: string } | null = null;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  /**
   * Runs one action at a time and reports the result. On success, it shows the text that `act` returns. On failure, it
   * shows an error next to the form.
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

  /** Shows a message, and announces it to screen readers. */
  protected say(done: string): void {
    this.#show({ busy: this.busy, done, failed: null });
  }

  /** Renders the place for success messages. Every panel renders this place once, even when there is no message. */
  protected renderDone(): TemplateResult {
    return html`<p role="status" tabindex="-1" class=${this.#done ? 'done' : 'visually-hidden'}>${this.#done}</p>`;
  }

  /** Renders the place for a form's error message. */
  protected renderFailed(where: string): TemplateResult | typeof nothing {
    return this.#failed?.where === where ? html`<p role="alert" class="failed">${this.#failed.message}</p>` : nothing;
  }

  /** Focuses the message when the button that had the focus is gone, so that keyboard users keep their place. */
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

/** Sends the user back to sign in when the session has expired. */
export function tellIfOver(element: HTMLElement, error: ApiError): void {
  if (error.code === 'not_signed_in') element.dispatchEvent(new Event(SESSION_OVER, { bubbles: true }));
}

/** Returns a form's field values, keyed by name. */
export function fieldsOf(event: SubmitEvent): Record<string, string> {
  event.preventDefault();
  const fields: Record<string, string> = {};
  for (const [name, value] of new FormData(event.currentTarget as HTMLFormElement)) fields[name] = String(value).trim();
  return fields;
}
