import type { ImportDetails } from '@zoetrope/contract/account';
import { html, nothing, type TemplateResult } from 'lit';
import { ask } from '../api.ts';
import { BASE } from '../navigation.ts';
import { Loaded } from '../parts/loaded.ts';
import { Panel } from '../parts/panel.ts';
import { say } from '../words/operators.ts';
import { count, momentOf } from '../words.ts';
import { openImport, resultsOf, setPaused, sourcesOf, stateOf } from './jobs-page.ts';

/** Number of refusals and sources that are listed. */
const SHOWN = 500;

/** One import with everything that was refused, and why. */
class ImportPage extends Panel {
  static override properties = { importId: {} };
  declare importId: string;
  readonly #import = new Loaded(this, () => ask('import', { path: { importId: this.importId } }));

  override render() {
    return html`<p><a href="${BASE}/review/jobs">${say('allImports')}</a></p>
      <h1>${this.#import.value === undefined ? say('import') : sourcesOf(this.#import.value)}</h1>
      ${this.renderDone()} ${this.renderFailed('retry')} ${this.#import.render((found) => this.#renderImport(found))}`;
  }

  #renderImport(found: ImportDetails): TemplateResult {
    const { sources, startedAt, machine, retryable, endedAt, paused } = found;
    return html`<dl class="card facts">
        <dt>${say('stateLabel')}</dt><dd>${stateOf(found)}</dd>
        <dt>${say('results')}</dt><dd>${resultsOf(found)}</dd>
        <dt>${say('started')}</dt><dd>${machine === '' ? momentOf(startedAt) : say('startedOn', { date: momentOf(startedAt), machine })}</dd>
        <dt>${say('sources')}</dt><dd>${sources.slice(0, 20).map((source) => html`<code class="long">${source}</code><br />`)}
          ${sources.length > 20 ? say('moreSources', { n: count(sources.length - 20) }) : nothing}</dd>
      </dl>
      <p class="row">
        ${
          endedAt === null
            ? html`<button type="button" aria-disabled=${this.busy} @click=${() => this.#setPaused(!paused)}>${paused ? say('continue') : say('pause')}</button>`
            : nothing
        }
        ${endedAt === null ? html`<button type="button" class="plain" @click=${() => this.#import.reload()}>${say('lookAgain')}</button>` : nothing}
        ${
          retryable
            ? html`<button type="button" aria-disabled=${this.busy} @click=${this.#retry}>${say('addAgain')}</button>`
            : nothing
        }
      </p>
      ${renderRefusals(found)}`;
  }

  #setPaused(paused: boolean): Promise<void> {
    return this.act('retry', async () => {
      this.#import.set(await setPaused(this.importId, paused));
      return say(paused ? 'pausedNow' : 'continuedNow');
    });
  }

  readonly #retry = (): Promise<void> =>
    this.act('retry', async () => {
      openImport(await ask('retryImport', { path: { importId: this.importId } }));
      return '';
    });
}

function renderRefusals({ refusals, refused }: ImportDetails): TemplateResult {
  if (refusals.length === 0 && refused === 0) return html`<p class="card muted">${say('nothingRefused')}</p>`;
  const later = refused - refusals.length;
  return html`<h2 id="refusals">${say('wereRefused')}</h2>
    <div class="scroll" tabindex="0" role="region" aria-labelledby="refusals"><table>
      <thead><tr><th scope="col">${say('fileOrLine')}</th><th scope="col">${say('why')}</th></tr></thead>
      <tbody>${refusals
        .slice(0, SHOWN)
        .map(({ key, message }) => html`<tr><td class="long">${key}</td><td class="long">${message}</td></tr>`)}</tbody>
    </table></div>
    ${refusals.length > SHOWN ? html`<p class="muted">${say('moreRefusals', { n: count(refusals.length - SHOWN) })}</p>` : nothing}
    ${later > 0 ? html`<p class="muted">${say('addedSince', { n: later })}</p>` : nothing}`;
}

customElements.define('import-page', ImportPage);
