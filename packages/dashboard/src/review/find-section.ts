import type { FoundClients } from '@zoetrope/contract/account';
import { html, type TemplateResult } from 'lit';
import { ask } from '../api.ts';
import { BASE } from '../navigation.ts';
import { Loaded } from '../parts/loaded.ts';
import { fieldsOf, Panel } from '../parts/panel.ts';
import { count, counted, dateOf, shortened, stateInWords } from '../words.ts';

/** All clients, the latest first, with a search. */
class FindSection extends Panel {
  #sought = '';
  readonly #found = new Loaded(this, () => ask('findClients', { query: { q: this.#sought } }));

  override render() {
    return html`<section aria-labelledby="find">
      <h2 id="find">All clients</h2>
      <form class="inline" role="search" @submit=${this.#find}>
        <label for="find-q">Name, id, npub or origin</label>
        <input id="find-q" name="q" type="search" maxlength="200" autocomplete="off" spellcheck="false" />
        <button type="submit" aria-disabled=${this.busy}>Find</button>
      </form>
      ${this.renderFailed('find')} ${this.renderDone()} ${this.#found.render((found) => this.#renderFound(found))}
    </section>`;
  }

  #renderFound({ clients, next }: FoundClients): TemplateResult {
    if (clients.length === 0)
      return html`<p class="card muted">${this.#sought === '' ? 'No clients yet.' : 'No client matches.'}</p>`;
    return html`<ul class="rows">${clients.map(renderClient)}</ul>
    ${
      next === ''
        ? ''
        : html`<p><button type="button" class="plain" aria-disabled=${this.busy} @click=${() => this.#more(clients, next)}>
            Show more</button></p>`
    }`;
  }

  #find(event: SubmitEvent): Promise<void> {
    this.#sought = fieldsOf(event)['q']!;
    return this.act('find', async () => {
      const found = await ask('findClients', { query: { q: this.#sought } });
      this.#found.set(found);
      if (this.#sought === '') return '';
      const { length } = found.clients;
      if (length === 0) return `No client matches “${this.#sought}”.`;
      return `${length}${found.next === '' ? '' : ' or more'} found.`;
    });
  }

  #more(shown: FoundClients['clients'], after: string): Promise<void> {
    return this.act('find', async () => {
      const more = await ask('findClients', { query: { q: this.#sought, after } });
      this.#found.set({ ...more, clients: [...shown, ...more.clients] });
      return `Showing ${more.clients.length} more.`;
    });
  }
}

function renderClient({
  id,
  name,
  state,
  owners,
  origins,
  keys,
  requests,
  createdAt,
}: FoundClients['clients'][number]): TemplateResult {
  const [first, ...others] = origins;
  const where =
    first === undefined ? 'no origin' : `${first}${others.length === 0 ? '' : ` and ${count(others.length)} more`}`;
  return html`<li class="row">
    <a class="name" href=${`${BASE}/review/clients/${id}`}>${name}</a>
    <span class="state" data-state=${state}>${stateInWords({ state })}</span>
    <span class="muted long">of ${owners.map(shortened).join(', ') || 'nobody'}, since ${dateOf(createdAt)};
      ${where}, ${counted(keys, 'key')}; ${counted(requests, 'request')} in 30 days</span>
  </li>`;
}

customElements.define('find-section', FindSection);
