import type { LoggedMove } from '@zoetrope/contract/account';
import { html, nothing, type TemplateResult } from 'lit';
import { ask } from '../api.ts';
import { BASE } from '../navigation.ts';
import { Loaded } from '../parts/loaded.ts';
import { Panel } from '../parts/panel.ts';
import { say } from '../words/operators.ts';
import { momentOf } from '../words.ts';

/** Number of changes per page of the API. */
const PAGE = 50;

/** What operators did to GIFs, the latest first, with a button that undoes it. */
class MovesSection extends Panel {
  readonly #log = new Loaded(this, () => ask('moves'));

  override render() {
    return html`<section aria-labelledby="moves">
      <h2 id="moves">${say('gifs')}</h2>
      ${this.renderDone()} ${this.renderFailed('moves')} ${this.#log.render(({ moves }) => this.#renderMoves(moves))}
    </section>`;
  }

  #renderMoves(moves: LoggedMove[]): TemplateResult {
    if (moves.length === 0) return html`<p class="card muted">${say('noMoves')}</p>`;
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${say('gifChanges')}><table>
        <thead><tr><th scope="col">${say('when')}</th><th scope="col">${say('gif')}</th><th scope="col">${say('what')}</th><th scope="col">${say('by')}</th>
          <th scope="col">${say('action')}</th></tr></thead>
        <tbody>${moves.map((move) => this.#renderMove(move))}</tbody>
      </table></div>
      ${
        moves.length % PAGE === 0
          ? html`<p><button type="button" class="plain" aria-disabled=${this.busy} @click=${() => this.#showOlder(moves)}>${say('showOlder')}</button></p>`
          : nothing
      }`;
  }

  #renderMove({ id, gifId, title, action, actor, at, reason, changes, undone }: LoggedMove): TemplateResult {
    const name = title || `${gifId.slice(0, 12)}…`;
    return html`<tr>
      <td class="moment">${momentOf(at)}</td>
      <td class="long"><a href=${`${BASE}/review/gifs/${gifId}`}>${name}</a></td>
      <td class="long"><strong>${action}</strong>${reason === '' ? '' : `: ${reason}`}
        ${changes.map(({ what, before, after }) => html`<br />${say('changedFrom', { what, before, after })}`)}</td>
      <td class="long">${actor}</td>
      <td>${
        undone
          ? html`<span class="muted">${say('isUndone')}</span>`
          : html`<button type="button" class="plain" aria-label=${say('undoOf', { action, name })} aria-disabled=${this.busy}
              @click=${() => this.#undo(id, name)}>${say('undo')}</button>`
      }</td>
    </tr>`;
  }

  #undo(id: number, name: string): Promise<void> {
    return this.act('moves', async () => {
      await ask('undoMove', { path: { moveId: String(id) } });
      // The undo is an action of its own, which is now the latest.
      this.#log.set(await ask('moves'));
      return say('undoneFor', { name });
    });
  }

  #showOlder(shown: LoggedMove[]): Promise<void> {
    return this.act('moves', async () => {
      const { moves } = await ask('moves', { query: { before: String(shown.at(-1)!.id) } });
      this.#log.set({ moves: [...shown, ...moves] });
      return moves.length === 0 ? say('noOlder') : say('showingMore', { n: moves.length });
    });
  }
}

customElements.define('moves-section', MovesSection);
