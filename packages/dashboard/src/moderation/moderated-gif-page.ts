import { html } from 'lit';
import { ask } from '../api.ts';
import { Loaded } from '../parts/loaded.ts';
import { Panel } from '../parts/panel.ts';
import './gif-card.ts';
import { BASE } from '../navigation.ts';
import { renderReason } from '../queue/reason-field.ts';
import { say } from '../words/operators.ts';

/** One GIF, as operators see it. */
class ModeratedGifPage extends Panel {
  static override properties = { gifId: {} };
  declare gifId: string;
  #reason = '';
  readonly #gif = new Loaded(this, () => ask('moderatedGif', { path: { gifId: this.gifId } }));

  override render() {
    return html`<p><a href="${BASE}/review/catalogue">${say('catalogue')}</a> · <a href="${BASE}/review/queue">${say('queue')}</a></p>
      <h1>${this.#gif.value?.title || say('gif')}</h1>
      <h2 class="visually-hidden">${say('details')}</h2>
      <div class="filters">${renderReason(this.#reason, (reason) => this.#setReason(reason))}</div>
      ${this.#gif.render((gif) => html`<gif-card .gif=${gif} .reason=${this.#reason}></gif-card>`)}`;
  }

  #setReason(reason: string): void {
    this.#reason = reason;
    this.requestUpdate();
  }
}

customElements.define('moderated-gif-page', ModeratedGifPage);
