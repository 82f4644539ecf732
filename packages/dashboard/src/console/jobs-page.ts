import type { ImportDetails, ImportList, ImportRun } from '@zoetrope/contract/account';
import { html, nothing, type TemplateResult } from 'lit';
import { ask } from '../api.ts';
import { BASE, go } from '../navigation.ts';
import { Loaded } from '../parts/loaded.ts';
import { Panel } from '../parts/panel.ts';
import { rich, say } from '../words/operators.ts';
import { count, momentOf, spanOf } from '../words.ts';

/** Time between two requests for the list while an import is open. */
const LOOK_MS = 3_000;
/** Number of imports per page of the API. */
const PAGE = 50;

/** All imports, the latest first. */
class JobsPage extends Panel {
  readonly #list = new Loaded(this, () => ask('imports'));
  #timer: ReturnType<typeof setInterval> | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.#timer);
  }

  override render() {
    return html`<h1>${say('jobs')}</h1>
      ${this.renderDone()} ${this.renderFailed('jobs')} ${this.#list.render((list) => this.#renderList(list))}`;
  }

  #renderList({ imports, queue }: ImportList): TemplateResult {
    return html`<p>${openJobs(queue)}
        ${rich('catalogueAdds', { page: html`<a href="${BASE}/review/catalogue">${say('catalogue')}</a>` })}</p>
      ${imports.length === 0 ? html`<p class="card muted">${say('nothingAdded')}</p>` : this.#renderImports(imports)}
      ${
        imports.length > 0 && imports.length % PAGE === 0
          ? html`<p><button type="button" class="plain" aria-disabled=${this.busy} @click=${() => this.#older(imports)}>${say('showOlder')}</button></p>`
          : nothing
      }`;
  }

  #renderImports(imports: readonly ImportRun[]): TemplateResult {
    return html`<h2 class="visually-hidden" id="imports">${say('imports')}</h2>
      <ul class="rows">
        ${imports.map(
          (run) => html`<li class="row">
            <a class="name" href=${`${BASE}/review/jobs/${run.id}`}>${sourcesOf(run)}</a>
            <span class="state" data-state=${run.endedAt === null ? 'unpaid' : run.refused > 0 ? 'rejected' : 'approved'}>${stateOf(run)}</span>
            <span class="muted">${resultsOf(run)} · ${momentOf(run.startedAt)}</span>
            ${run.endedAt === null ? this.#renderPause(run) : nothing}
          </li>`,
        )}
      </ul>`;
  }

  #renderPause(run: ImportRun): TemplateResult {
    const name = run.paused ? say('continue') : say('pause');
    return html`<button type="button" class="plain" aria-label=${say('actOn', { act: name, thing: sourcesOf(run) })} aria-disabled=${this.busy}
      @click=${() => this.#setPaused(run, !run.paused)}>${name}</button>`;
  }

  #setPaused({ id }: ImportRun, paused: boolean): Promise<void> {
    return this.act('jobs', async () => {
      const changed = await setPaused(String(id), paused);
      const list = this.#list.value!;
      this.#list.set({ ...list, imports: list.imports.map((run) => (run.id === id ? changed : run)) });
      return say(paused ? 'pausedNow' : 'continuedNow');
    });
  }

  #look(): void {
    const list = this.#list.value;
    const isOpen = list !== undefined && (list.queue.open > 0 || list.imports.some(({ endedAt }) => endedAt === null));
    // A longer list is not replaced by its first page.
    if (isOpen && list.imports.length <= PAGE && !document.hidden) void this.#list.reload();
  }

  #older(shown: ImportRun[]): Promise<void> {
    return this.act('jobs', async () => {
      const older = await ask('imports', { query: { before: String(shown.at(-1)!.id) } });
      this.#list.set({ ...older, imports: [...shown, ...older.imports] });
      return older.imports.length === 0 ? say('noOlder') : say('showingMore', { n: older.imports.length });
    });
  }
}

function openJobs({ open, oldestSeconds }: ImportList['queue']): string {
  if (open === 0) return say('noJobs');
  return oldestSeconds === null
    ? say('openJobs', { n: open })
    : say('openJobsSince', { n: open, time: spanOf(oldestSeconds) });
}

/** Returns a short description of what an import adds. */
export function sourcesOf({ sources }: Pick<ImportRun, 'sources'>): string {
  const [first = say('nothing')] = sources.map((source) => source.split('/').findLast((part) => part !== '') ?? source);
  return sources.length < 2 ? first : say('andMore', { first, n: sources.length - 1 });
}

export function stateOf({ endedAt, open, startedAt, refused, paused }: ImportRun): string {
  if (paused) return say('pausedLeft', { n: open });
  if (endedAt === null) return open > 0 ? say('runningLeft', { n: open }) : say('running');
  const time = spanOf((endedAt - startedAt) / 1_000);
  return refused > 0 ? say('doneSomeRefused', { time }) : say('doneIn', { time });
}

export function resultsOf({ added, known, linked, refused }: ImportRun): string {
  return [
    say('nAdded', { n: count(added) }),
    ...(known > 0 ? [say('nKnown', { n: count(known) })] : []),
    ...(linked > 0 ? [say('nLinked', { n: count(linked) })] : []),
    ...(refused > 0 ? [say('nRefused', { n: count(refused) })] : []),
  ].join(say('comma'));
}

/** Pauses or continues an import. @returns the import after that */
export function setPaused(importId: string, paused: boolean): Promise<ImportDetails> {
  return ask(paused ? 'pauseImport' : 'continueImport', { path: { importId } });
}

/** Opens the page of an import. */
export function openImport({ id }: Pick<ImportRun, 'id'>): void {
  go(`/review/jobs/${id}`);
}

customElements.define('jobs-page', JobsPage);
