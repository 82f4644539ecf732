import { html, LitElement } from 'lit';

/** A button that puts a text onto the clipboard and says so. */
class CopyButton extends LitElement {
  static override properties = { text: {}, label: {} };
  declare text: string;
  /** What is copied, for those who do not see what stands beside the button. */
  declare label: string;
  #said = '';

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override render() {
    return html`<button type="button" class="plain" aria-label=${`Copy ${this.label}`} @click=${this.#copy}>Copy</button>
      <span role="status" class="muted">${this.#said}</span>`;
  }

  async #copy(): Promise<void> {
    // Browsers refuse it to pages that are not secure, or not looked at.
    this.#said = await navigator.clipboard.writeText(this.text).then(
      () => 'copied',
      () => 'not allowed here: select the text instead',
    );
    this.requestUpdate();
  }
}

customElements.define('copy-button', CopyButton);
