import { LIMITS } from '@zoetrope/contract';
import type { ModerationList, ModerationQueue } from '@zoetrope/contract/account';
import { html, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { ask } from '../api.ts';
import { go } from '../navigation.ts';
import { Loaded } from '../parts/loaded.ts';
import { fieldsOf, Panel } from '../parts/panel.ts';
import { count } from '../words.ts';
import './gif-card.ts';

const LISTS: Readonly<Record<ModerationList, { name: string; empty: string }>> = {
  reported: { name: 'Reported', empty: 'No open reports.' },
  doubtful: { name: 'Uncertain', empty: 'No GIF needs a decision about its rating.' },
  withheld: { name: 'Withheld', empty: 'None of your own files are withheld as adult.' },
  hidden: { name: 'Hidden', empty: 'No hidden GIFs.' },
};

/** Lists of GIFs that need an operator's attention. */
class ModerationPage extends Panel {
  #list: ModerationList = 'reported';
  readonly #queue = new Loaded(this, () => ask('moderation', { query: { list: this.#list } }));

  override render() {
    return html`<h1>Reports</h1>
      <form class="inline" @submit=${this.#open}>
        <label for="gif-id">GIF id</label>
        <input id="gif-id" name="id" required maxlength=${LIMITS.idMaxLength} pattern="\\w[\\w.\\-]*" autocomplete="off" spellcheck="false" />
        <button type="submit">Open</button>
      </form>
      <p class="row" role="group" aria-label="Which GIFs">${(Object.keys(LISTS) as ModerationList[]).map((list) => this.#renderTab(list))}</p>
      ${this.renderDone()} ${this.renderFailed('more')}
      ${this.#queue.render((queue) => this.#renderQueue(queue))}`;
  }

  #renderTab(list: ModerationList): TemplateResult {
    const waiting = list === 'hidden' ? undefined : this.#queue.value?.[list];
    const number = waiting === undefined ? '' : ` (${count(waiting)})`;
    return html`<button type="button" class="plain" aria-pressed=${this.#list === list} @click=${() => this.#choose(list)}>
      ${LISTS[list].name}${number}</button>`;
  }

  #renderQueue({ gifs, next }: ModerationQueue): TemplateResult {
    return html`<h2>${LISTS[this.#list].name}</h2>
      ${gifs.length === 0 ? html`<p class="card muted">${LISTS[this.#list].empty}</p>` : ''}
      ${repeat(
        gifs,
        ({ id }) => id,
        (gif) => html`<gif-card .gif=${gif}></gif-card>`,
      )}
      ${
        next === ''
          ? ''
          : html`<p><button type="button" class="plain" aria-disabled=${this.busy} @click=${() => this.#showMore(gifs, next)}>
              Show more</button></p>`
      }`;
  }

  #choose(list: ModerationList): void {
    this.#list = list;
    void this.#queue.reload();
  }

  #showMore(shown: ModerationQueue['gifs'], after: string): Promise<void> {
    return this.act('more', async () => {
      const more = await ask('moderation', { query: { list: this.#list, after } });
      this.#queue.set({ ...more, gifs: [...shown, ...more.gifs] });
      return `Showing ${more.gifs.length} more.`;
    });
  }

  #open(event: SubmitEvent): void {
    go(`/review/gifs/${fieldsOf(event)['id']}`);
  }
}

customElements.define('moderation-page', ModerationPage);
