import type { ImportDetails, ImportList, ImportRun } from '@zoetrope/contract/account';
import { html, nothing, type TemplateResult } from 'lit';
import { ask } from '../api.ts';
import { BASE, go } from '../navigation.ts';
import { Loaded } from '../parts/loaded.ts';
import { Panel } from '../parts/panel.ts';
import { count, momentOf, spanOf } from '../words.ts';

/** Time between two looks while something is open. */
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
    return html`<h1>Jobs</h1>
      ${this.renderDone()} ${this.renderFailed('jobs')} ${this.#list.render((list) => this.#renderList(list))}`;
  }

  #renderList({ imports, queue }: ImportList): TemplateResult {
    const oldest = queue.oldestSeconds === null ? '' : `, the oldest for ${spanOf(queue.oldestSeconds)}`;
    return html`<p>${queue.open === 0 ? 'No job is open.' : `${count(queue.open)} jobs are open, previews included${oldest}.`}
        The page <a href="${BASE}/review/catalogue">Catalogue</a> adds GIFs.</p>
      ${imports.length === 0 ? html`<p class="card muted">Nothing has been added yet.</p>` : this.#renderImports(imports)}
      ${
        imports.length > 0 && imports.length % PAGE === 0
          ? html`<p><button type="button" class="plain" aria-disabled=${this.busy} @click=${() => this.#older(imports)}>
              Show older</button></p>`
          : nothing
      }`;
  }

  #renderImports(imports: readonly ImportRun[]): TemplateResult {
    return html`<h2 class="visually-hidden" id="imports">Imports</h2>
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
    const name = run.paused ? 'Continue' : 'Pause';
    return html`<button type="button" class="plain" aria-label=${`${name} ${sourcesOf(run)}`} aria-disabled=${this.busy}
      @click=${() => this.#setPaused(run, !run.paused)}>${name}</button>`;
  }

  #setPaused({ id }: ImportRun, paused: boolean): Promise<void> {
    return this.act('jobs', async () => {
      const changed = await setPaused(String(id), paused);
      const list = this.#list.value!;
      this.#list.set({ ...list, imports: list.imports.map((run) => (run.id === id ? changed : run)) });
      return paused ? PAUSED : CONTINUED;
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
      return older.imports.length === 0 ? 'There are no older ones.' : `Showing ${older.imports.length} more.`;
    });
  }
}

/** Returns what an import adds, in few words. */
export function sourcesOf({ sources }: Pick<ImportRun, 'sources'>): string {
  const [first = 'nothing'] = sources.map((source) => source.split('/').findLast((part) => part !== '') ?? source);
  return sources.length < 2 ? first : `${first} and ${count(sources.length - 1)} more`;
}

export function stateOf({ endedAt, open, startedAt, refused, paused }: ImportRun): string {
  if (paused) return `paused, ${count(open)} left`;
  if (endedAt === null) return open > 0 ? `running, ${count(open)} left` : 'running';
  return `${refused > 0 ? 'done, some refused' : 'done'} in ${spanOf((endedAt - startedAt) / 1_000)}`;
}

export function resultsOf({ added, known, linked, refused }: ImportRun): string {
  return [
    `${count(added)} added`,
    ...(known > 0 ? [`${count(known)} here already`] : []),
    ...(linked > 0 ? [`${count(linked)} linked`] : []),
    ...(refused > 0 ? [`${count(refused)} refused`] : []),
  ].join(', ');
}

export const PAUSED = 'Paused. Files that are being processed are finished.';
export const CONTINUED = 'It continues within seconds.';

/** Pauses or continues an import. @returns the import after that */
export function setPaused(importId: string, paused: boolean): Promise<ImportDetails> {
  return ask(paused ? 'pauseImport' : 'continueImport', { path: { importId } });
}

/** Opens the page of an import. */
export function openImport({ id }: Pick<ImportRun, 'id'>): void {
  go(`/review/jobs/${id}`);
}

customElements.define('jobs-page', JobsPage);
