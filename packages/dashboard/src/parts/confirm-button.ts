import { html, LitElement } from 'lit';
import { say } from '../words/owners.ts';

/** Event fired when the user has confirmed the action. */
const CONFIRMED = 'confirmed';

/** A button for an action that cannot be undone. It first asks in a dialog. */
class ConfirmButton extends LitElement {
  static override properties = { label: {}, subject: {}, action: {}, consequence: {}, busy: { type: Boolean } };
  /** Text of the button. */
  declare label: string;
  /** Name of the thing that the action is about. */
  declare subject: string;
  /** Text of the dialog's button: what happens, such as "Revoke key". */
  declare action: string;
  /** What follows from the action, as a sentence. */
  declare consequence: string;
  declare busy: boolean;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override render() {
    const { label, subject, action, consequence } = this;
    return html`<button type="button" class="plain" aria-label=${say('actOn', { act: label, thing: subject })} aria-haspopup="dialog"
        aria-disabled=${this.busy} @click=${this.#open}>${label}</button>
      <dialog aria-label=${say('actOnTitle', { act: action, thing: subject })}>
        <p><strong>${say('actOnAsked', { act: label, thing: subject })}</strong></p>
        <p>${consequence}</p>
        <p class="row">
          <button type="button" class="danger" @click=${this.#confirm}>${action}</button>
          <button type="button" class="plain" autofocus @click=${this.#close}>${say('cancel')}</button>
        </p>
      </dialog>`;
  }

  #open(): void {
    if (!this.busy) this.querySelector('dialog')!.showModal();
  }

  #close(): void {
    this.querySelector('dialog')!.close();
  }

  #confirm(): void {
    this.#close();
    this.dispatchEvent(new Event(CONFIRMED));
  }
}

customElements.define('confirm-button', ConfirmButton);
