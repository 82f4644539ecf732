import { html, LitElement } from 'lit';
import { say } from '../words/owners.ts';

/** A button that copies text to the clipboard and confirms the copy. */
class CopyButton extends LitElement {
  static override properties = { text: {}, label: {} };
  declare text: string;
  /** Name of the copied text for screen readers. */
  declare label: string;
  #said = '';

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override render() {
    return html`<button type="button" class="plain" aria-label=${say('copyWhat', { what: this.label })} @click=${this.#copy}>${say('copy')}</button>
      <span role="status" class="muted">${this.#said}</span>`;
  }

  async #copy(): Promise<void> {
    // Browsers deny clipboard access to insecure or unfocused pages.
    this.#said = await navigator.clipboard.writeText(this.text).then(
      () => say('copied'),
      () => say('notCopied'),
    );
    this.requestUpdate();
  }
}

customElements.define('copy-button', CopyButton);
