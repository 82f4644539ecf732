import type { FoundClients } from '@zoetrope/contract/account';
import { html, type TemplateResult } from 'lit';
import { ask } from '../api.ts';
import { BASE } from '../navigation.ts';
import { Loaded } from '../parts/loaded.ts';
import { fieldsOf, Panel } from '../parts/panel.ts';
import { say } from '../words/operators.ts';
import { dateOf, shortened, stateInWords } from '../words.ts';

/** All clients, the latest first, with a search. */
class FindSection extends Panel {
  #sought = '';
  readonly #found = new Loaded(this, () => ask('findClients', { query: { q: this.#sought } }));

  override render() {
    return html`<section aria-labelledby="find">
      <h2 id="find">${say('allClients')}</h2>
      <form class="inline" role="search" @submit=${this.#find}>
        <label for="find-q">${say('findClient')}</label>
        <input id="find-q" name="q" type="search" maxlength="200" autocomplete="off" spellcheck="false" />
        <button type="submit" aria-disabled=${this.busy}>${say('find')}</button>
      </form>
      ${this.renderFailed('find')} ${this.renderDone()} ${this.#found.render((found) => this.#renderFound(found))}
    </section>`;
  }

  #renderFound({ clients, next }: FoundClients): TemplateResult {
    if (clients.length === 0)
      return html`<p class="card muted">${this.#sought === '' ? say('noClientsYet') : say('noClientMatches')}</p>`;
    return html`<ul class="rows">${clients.map(renderClient)}</ul>
    ${
      next === ''
        ? ''
        : html`<p><button type="button" class="plain" aria-disabled=${this.busy} @click=${() => this.#more(clients, next)}>${say('showMore')}</button></p>`
    }`;
  }

  #find(event: SubmitEvent): Promise<void> {
    this.#sought = fieldsOf(event)['q']!;
    return this.act('find', async () => {
      const found = await ask('findClients', { query: { q: this.#sought } });
      this.#found.set(found);
      if (this.#sought === '') return '';
      const { length } = found.clients;
      if (length === 0) return say('noClientFor', { q: this.#sought });
      return found.next === '' ? say('nFound', { n: length }) : say('nOrMoreFound', { n: length });
    });
  }

  #more(shown: FoundClients['clients'], after: string): Promise<void> {
    return this.act('find', async () => {
      const more = await ask('findClients', { query: { q: this.#sought, after } });
      this.#found.set({ ...more, clients: [...shown, ...more.clients] });
      return say('showingMore', { n: more.clients.length });
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
    first === undefined
      ? say('noOrigin')
      : others.length === 0
        ? first
        : say('originAndMore', { origin: first, n: others.length });
  return html`<li class="row">
    <a class="name" href=${`${BASE}/review/clients/${id}`}>${name}</a>
    <span class="state" data-state=${state}>${stateInWords({ state })}</span>
    <span class="muted long">${say('clientFacts', {
      owners: owners.map(shortened).join(', ') || say('nobody'),
      date: dateOf(createdAt),
      where,
      keys: say('keys_n', { n: keys }),
      requests: say('requests_n', { n: requests }),
    })}</span>
  </li>`;
}

customElements.define('find-section', FindSection);
