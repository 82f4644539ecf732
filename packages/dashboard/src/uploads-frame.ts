import { html } from 'lit';
import { ApiError, OFFLINE } from './api.ts';
import { Loaded } from './parts/loaded.ts';
import { Panel } from './parts/panel.ts';
import { say } from './words/owners.ts';

/** Loads the code of the members' page when it is first shown, so that others do not wait for it. */
class UploadsFrame extends Panel {
  readonly #code = new Loaded(this, loadPage);

  override render() {
    return this.#code.render(() => html`<uploads-page></uploads-page>`);
  }
}

async function loadPage(): Promise<true> {
  await import('./uploads-page.ts').catch(() => {
    throw new ApiError(OFFLINE, say('notLoaded'));
  });
  return true;
}

customElements.define('uploads-frame', UploadsFrame);
