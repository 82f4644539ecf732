import type { HealthReport, Overview } from '@zoetrope/contract/account';
import { html, nothing, type TemplateResult } from 'lit';
import { ask } from '../api.ts';
import { BASE } from '../navigation.ts';
import { Loaded } from '../parts/loaded.ts';
import { Panel } from '../parts/panel.ts';
import { bytesInWords, count, momentOf, spanOf } from '../words.ts';
import { relayStateInWords } from './sources/relay-state.ts';
import './curves/curves-section.ts';
import { say } from '../words/operators.ts';
import { renderHeld } from './storage/held.ts';

const EMBEDDER: Readonly<Record<string, () => string>> = {
  starting: () => say('embedder_starting'),
  degraded: () => say('embedder_degraded'),
  down: () => say('embedder_down'),
};
const SEARCH: Readonly<Record<string, () => string>> = {
  away: () => say('search_away'),
  gone: () => say('search_gone'),
};

/** Time between two requests for the state while the checks run. */
const LOOK_MS = 2_000;

/** The state of the whole service: problems first, then numbers. */
class OverviewPage extends Panel {
  readonly #overview = new Loaded(this, () => ask('overview'));
  readonly #health = new Loaded(this, () => ask('health'));
  #timer: ReturnType<typeof setInterval> | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#timer = setInterval(() => {
      if (this.#health.value?.checking && !document.hidden) void this.#health.reload();
    }, LOOK_MS);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.#timer);
  }

  override render() {
    return html`<h1>${say('overview')}</h1>
      ${this.renderDone()}${this.renderFailed('held')}
      ${this.#overview.render((overview) => html`${renderAlerts(overview, this.#renderHeld(overview))}${renderNumbers(overview)}`)}
      <curves-section></curves-section>
      <section aria-labelledby="health">
        <h2 id="health">${say('checks')}</h2>
        ${this.#health.render(renderHealth)}
      </section>
      ${this.#overview.value === undefined ? nothing : renderMachines(this.#overview.value)}`;
  }

  #renderHeld({ held }: Overview): TemplateResult | undefined {
    return held === null ? undefined : renderHeld(held, { busy: this.busy, release: () => this.#release() });
  }

  #release(): Promise<void> {
    return this.act('held', async () => {
      await ask('releaseBuild');
      await this.#overview.reload();
      return say('released');
    });
  }
}

/** If the last backup is older than this, operators see a warning. A weekly backup can be a day late. */
const OLD_BACKUP_MS = 8 * 86_400_000;

function alertOfBackups({ lastAt, problem }: Overview['backups'], now: number): string | undefined {
  if (problem !== '') return say('backupFailed', { problem });
  if (lastAt === null || now - lastAt < OLD_BACKUP_MS) return undefined;
  return say('backupOld', { date: momentOf(lastAt) });
}

function renderAlerts(
  { embedder, search, relays, stranded, backups }: Overview,
  held: TemplateResult | undefined,
): TemplateResult | typeof nothing {
  const alerts = [
    held,
    SEARCH[search]?.(),
    EMBEDDER[embedder]?.(),
    alertOfBackups(backups, Date.now()),
    ...relays
      .filter(({ error }) => error !== null)
      .map(({ url, error }) => say('relayProblem', { url, error: error ?? '' })),
    ...stranded.map(({ machine, open }) => say('stranded', { n: open, machine })),
  ].filter((alert) => alert !== undefined);
  if (alerts.length === 0) return nothing;
  return html`<section aria-labelledby="alerts">
    <h2 id="alerts">${say('needsAttention')}</h2>
    <ul class="findings">${alerts.map((alert) => html`<li data-state="wrong">${alert}</li>`)}</ul>
  </section>`;
}

function renderNumbers({ gifs, build, jobs, clients, freeBytes, growing, relays }: Overview): TemplateResult {
  const broken = relays.filter(({ error }) => error !== null).length;
  return html`<h2 class="visually-hidden">${say('numbers')}</h2>
    <dl class="figures">
      ${figure(say('gifsFound'), count(gifs.found), say('ofNotHidden', { n: count(gifs.catalogue) }), '/review/catalogue')}
      ${figure(say('gifsToReview'), count(gifs.toReview), say('toReviewNote'), '/review/queue')}
      ${figure(say('clients'), count(clients.approved), say('activeAndOthers', { n: clients.others }), '/review/clients')}
      ${figure(say('jobsOpen'), count(jobs.open), noteOfJobs(jobs, growing), '/review/jobs')}
      ${figure(say('freeDisk'), bytesInWords(freeBytes), say('inDataFolder'))}
      ${relays.length === 0 ? nothing : figure(say('relays'), count(relays.length), broken === 0 ? say('allFollowed') : say('haveProblem', { n: broken }), '/review/sources')}
      ${figure(say('build'), build === null ? say('noneYet') : build.slice(0, 8), build === null ? say('firstBuild') : say('withGifs', { n: gifs.found }), '/review/builds')}
    </dl>`;
}

function noteOfJobs({ open, oldestSeconds }: Overview['jobs'], growing: boolean): string {
  if (open === 0) return say('allDone');
  const what = growing ? say('gifsBeingAdded') : say('previewsOnly');
  return oldestSeconds === null ? what : say('oldestFor', { what, time: spanOf(oldestSeconds) });
}

function figure(name: string, value: string, note: string, to = ''): TemplateResult {
  const number = html`<span class="number">${value}</span>`;
  return html`<div class="figure"><dt>${to === '' ? name : html`<a href=${`${BASE}${to}`}>${name}</a>`}</dt>
    <dd>${number}<br /><span class="muted">${note}</span></dd></div>`;
}

function renderHealth({ checking, findings, checkedAt, disk }: HealthReport): TemplateResult {
  return html`<p role="status" class=${checking ? 'muted' : 'visually-hidden'}>${
    checking ? say('checking') : say('checksEnded')
  }</p>
    ${checkedAt === null ? nothing : renderFindings(findings)}
    ${checkedAt === null || disk === null ? nothing : renderDisk(checkedAt, disk)}`;
}

/** Renders problems and notes. Checks without a problem are only listed on request. */
function renderFindings(findings: HealthReport['findings']): TemplateResult {
  const order = ['wrong', 'note'];
  const told = findings
    .filter(({ state }) => state !== 'well')
    .toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state));
  const well = findings.filter(({ state }) => state === 'well');
  return html`${told.length === 0 ? html`<p class="done">${say('noProblems')}</p>` : html`<ul class="findings">${told.map(renderFinding)}</ul>`}
    <details><summary>${say('checksWell', { n: well.length })}</summary>
      <ul class="findings">${well.map(renderFinding)}</ul></details>`;
}

function renderDisk(checkedAt: number, disk: NonNullable<HealthReport['disk']>): TemplateResult {
  return html`<p class="muted">${say('diskUse', { date: momentOf(checkedAt), media: bytesInWords(disk.media), builds: bytesInWords(disk.builds), models: bytesInWords(disk.models), starter: bytesInWords(disk.starter), others: bytesInWords(disk.others) })}</p>`;
}

function renderFinding({ check, state, message, items }: HealthReport['findings'][number]): TemplateResult {
  const name = state === 'well' ? check : say(`finding_${state}`, { check });
  return html`<li data-state=${state}><strong>${name}</strong>: ${message}
    ${items.length === 0 ? nothing : html`<ul>${items.slice(0, 20).map((item) => html`<li>${item}</li>`)}</ul>`}</li>`;
}

function renderMachines({ nodes, relays }: Overview): TemplateResult {
  return html`${nodes.length === 0 ? nothing : renderNodes(nodes)} ${relays.length === 0 ? nothing : renderRelays(relays)}`;
}

function renderNodes(nodes: Overview['nodes']): TemplateResult {
  return html`<div><h2 id="nodes">${say('processes')}</h2>
    <div class="scroll" tabindex="0" role="region" aria-labelledby="nodes"><table>
      <thead><tr><th scope="col">${say('machine')}</th><th scope="col">${say('does')}</th><th scope="col">${say('build')}</th>
        <th scope="col">${say('changesBehind')}</th><th scope="col">${say('jobs')}</th></tr></thead>
      <tbody>${nodes.map(
        ({ machine, role, build, behind, claims }) => html`<tr><td>${machine}</td><td>${role}</td>
          <td>${build?.slice(0, 12) ?? '–'}</td><td>${behind ?? '–'}</td><td>${count(claims)}</td></tr>`,
      )}</tbody>
    </table></div></div>`;
}

function renderRelays(relays: Overview['relays']): TemplateResult {
  return html`<div><h2 id="relays">${say('relays')}</h2>
    <div class="scroll" tabindex="0" role="region" aria-labelledby="relays"><table>
      <thead><tr><th scope="col">${say('relay')}</th><th scope="col">${say('stateLabel')}</th><th scope="col">${say('sinceLabel')}</th>
        <th scope="col">${say('eventsTaken')}</th></tr></thead>
      <tbody>${relays.map(
        ({ url, state, error, changedAt, taken }) => html`<tr><td class="long">${url}</td>
          <td>${relayStateInWords({ state, error })}</td><td class="moment">${momentOf(changedAt)}</td>
          <td>${count(taken)}</td></tr>`,
      )}</tbody>
    </table></div></div>`;
}

customElements.define('overview-page', OverviewPage);
