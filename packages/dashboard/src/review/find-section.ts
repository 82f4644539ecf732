import type { FoundClients } from '@zoetrope/contract/account';
import { html, type TemplateResult } from 'lit';
import { ask } from '../api.ts';
import { BASE } from '../navigation.ts';
import { fieldsOf, Panel } from '../parts/panel.ts';
import { shortened, stateInWords } from '../words.ts';

/** Searches all clients. */
class FindSection extends Panel {
  #found: FoundClients | null = null;

  override render() {
    return html`<section aria-labelledby="find">
      <h2 id="find">Find a client</h2>
      <form class="inline" role="search" @submit=${this.#find}>
        <label for="find-q">Name, id, npub or origin</label>
        <input id="find-q" name="q" type="search" required maxlength="300" autocomplete="off" spellcheck="false" />
        <button type="submit" aria-disabled=${this.busy}>Find</button>
      </form>
      ${this.renderFailed('find')} ${this.renderDone()} ${this.#found ? renderFound(this.#found) : ''}
    </section>`;
  }

  #find(event: SubmitEvent): Promise<void> {
    const { q } = fieldsOf(event);
    return this.act('find', async () => {
      this.#found = await ask('findClients', { query: { q: q! } });
      const { length } = this.#found.clients;
      return length === 0 ? `No client matches “${q}”.` : `${length} found.`;
    });
  }
}

function renderFound({ clients }: FoundClients): TemplateResult {
  return html`<ul class="rows">
    ${clients.map(
      ({ id, name, state, owners }) => html`<li class="card row">
        <a class="name" href=${`${BASE}/review/clients/${id}`}>${name}</a>
        <span class="state" data-state=${state}>${stateInWords({ state })}</span>
        <span class="muted">of ${owners.map(shortened).join(', ') || 'nobody'}</span>
      </li>`,
    )}
  </ul>`;
}

customElements.define('find-section', FindSection);
