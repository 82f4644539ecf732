import { type CatalogueGif, GIFS_PER_ACT, type GifsAct, type GifsOutcome } from '@zoetrope/contract/account';
import { html, nothing, type TemplateResult } from 'lit';
import { ask } from '../api.ts';
import { fieldsOf, Panel } from '../parts/panel.ts';
import { say } from '../words/operators.ts';
import { count } from '../words.ts';

/** Event with the new states of GIFs. */
export const CHANGED = 'gifs-changed';

export interface Changed {
  gifs: CatalogueGif[];
}

/** An action without the ids of its GIFs. */
type Act = { action: Exclude<GifsAct['action'], 'tag'> } | { action: 'tag'; tag: string };

const ACTS = ['hide', 'show', 'safe', 'adult', 'block'] as const;

/** The actions for the selected GIFs. */
class BulkBar extends Panel {
  static override properties = { selected: { attribute: false }, whenCleared: { attribute: false } };
  declare selected: readonly string[];
  declare whenCleared: () => void;
  #outcomes: GifsOutcome['outcomes'] = [];
  /** The recorded actions of the button that was pressed last. */
  #moves: number[] = [];

  override render() {
    const n = this.selected.length;
    if (n === 0 && this.#moves.length === 0 && this.#outcomes.length === 0) return nothing;
    return html`<section class="bulk" aria-label=${say('selectedGifs')}>
      ${n === 0 ? nothing : this.#renderActs(n)}
      ${this.renderDone()} ${this.renderFailed('act')}
      ${this.#renderRefused()}
      ${
        this.#moves.length === 0
          ? nothing
          : html`<p class="row"><button type="button" class="plain" aria-disabled=${this.busy} @click=${this.#undo}>${say('undoLast', { n: count(this.#moves.length) })}</button></p>`
      }
    </section>`;
  }

  #renderActs(n: number): TemplateResult {
    return html`<div class="row">
      <strong>${say('selected', { n: count(n) })}</strong>
      ${ACTS.map(
        (
          action,
        ) => html`<button type="button" class="plain" aria-disabled=${this.busy} @click=${() => this.#do({ action })}>
          ${say(`act_${action}`)}</button>`,
      )}
      <form class="inline" @submit=${this.#tag}>
        <label class="visually-hidden" for="bulk-tag">${say('tagToAdd')}</label>
        <input id="bulk-tag" name="tag" required maxlength="100" placeholder=${say('tag')} autocomplete="off" />
        <button type="submit" class="plain" aria-disabled=${this.busy}>${say('addTag')}</button>
      </form>
      <button type="button" class="plain" @click=${() => this.whenCleared()}>${say('clear')}</button>
    </div>`;
  }

  #renderRefused(): TemplateResult | typeof nothing {
    const refused = this.#outcomes.filter(({ outcome }) => outcome === 'refused');
    if (refused.length === 0) return nothing;
    return html`<ul class="outcomes" tabindex="0" aria-label=${say('wereRefused')}>
      ${refused.map(({ id, message }) => html`<li><code class="long">${id}</code>: ${message}</li>`)}
    </ul>`;
  }

  #tag(event: SubmitEvent): Promise<void> {
    return this.#do({ action: 'tag', tag: fieldsOf(event)['tag']! });
  }

  #do(act: Act): Promise<void> {
    return this.act('act', () => this.#run(this.selected, (ids) => ask('moderateMany', { body: { ...act, ids } })));
  }

  readonly #undo = (): Promise<void> =>
    this.act('act', async () => {
      const said = await this.#run(this.#moves, (moves) => ask('undoMany', { body: { moves } }));
      this.#moves = [];
      return say('undoneWith', { summary: said });
    });

  /** Sends as many requests as the GIFs need. Returns a summary of all outcomes. */
  async #run<Item>(items: readonly Item[], send: (some: readonly Item[]) => Promise<GifsOutcome>): Promise<string> {
    this.#outcomes = [];
    this.#moves = [];
    for (let from = 0; from < items.length; from += GIFS_PER_ACT) {
      const { outcomes, gifs } = await send(items.slice(from, from + GIFS_PER_ACT));
      this.#outcomes.push(...outcomes);
      this.#moves.push(...outcomes.flatMap(({ move }) => move ?? []));
      this.dispatchEvent(new CustomEvent<Changed>(CHANGED, { detail: { gifs }, bubbles: true }));
    }
    return summaryOf(this.#outcomes);
  }
}

function summaryOf(outcomes: GifsOutcome['outcomes']): string {
  const number = (wanted: string) => outcomes.filter(({ outcome }) => outcome === wanted).length;
  const [done, unchanged, refused] = [number('done'), number('unchanged'), number('refused')];
  const parts = [
    say('changed', { n: count(done) }),
    ...(unchanged > 0 ? [say('unchanged', { n: count(unchanged) })] : []),
    ...(refused > 0 ? [say('nRefused', { n: count(refused) })] : []),
  ];
  return say('sentence', { parts: parts.join(say('comma')) });
}

customElements.define('bulk-bar', BulkBar);
