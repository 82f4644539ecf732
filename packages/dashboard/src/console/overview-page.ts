import type { HealthReport, Overview } from '@zoetrope/contract/account';
import { html, nothing, type TemplateResult } from 'lit';
import { ask } from '../api.ts';
import { BASE } from '../navigation.ts';
import { Loaded } from '../parts/loaded.ts';
import { Panel } from '../parts/panel.ts';
import { bytesInWords, count, counted, momentOf, spanOf } from '../words.ts';
import './curves/curves-section.ts';

const EMBEDDER: Readonly<Record<string, string>> = {
  starting: 'The model behind search by meaning is starting. Until it is ready, searches use words alone.',
  degraded: 'The model behind search by meaning is too slow, so searches use words alone.',
  down: 'The model behind search by meaning does not run, so searches use words alone. Run zoetrope doctor.',
};
const SEARCH: Readonly<Record<string, string>> = {
  away: 'The search cluster cannot be reached, so searches get 503. Check ZOETROPE_OPENSEARCH_URL.',
  gone: 'The index in the search cluster is missing. A worker makes it again; otherwise run zoetrope index rebuild.',
};

/** Time between two looks while the checks run. */
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
    return html`<h1>Overview</h1>
      ${this.#overview.render((overview) => html`${renderAlerts(overview)}${renderNumbers(overview)}`)}
      <curves-section></curves-section>
      <section aria-labelledby="health">
        <h2 id="health">Checks</h2>
        ${this.#health.render(renderHealth)}
      </section>
      ${this.#overview.value === undefined ? nothing : renderMachines(this.#overview.value)}`;
  }
}

/** Age of the last backup from which on operators are told. A weekly backup can be a day late. */
const OLD_BACKUP_MS = 8 * 86_400_000;

function alertOfBackups({ lastAt, problem }: Overview['backups'], now: number): string | undefined {
  if (problem !== '') return `The last backup failed: ${problem}. Run zoetrope backup again.`;
  if (lastAt === null || now - lastAt < OLD_BACKUP_MS) return undefined;
  return `The last backup is from ${momentOf(lastAt)}. Run zoetrope backup, and make it run every week.`;
}

function renderAlerts({ embedder, search, relays, stranded, backups }: Overview): TemplateResult | typeof nothing {
  const alerts = [
    SEARCH[search],
    EMBEDDER[embedder],
    alertOfBackups(backups, Date.now()),
    ...relays
      .filter(({ error }) => error !== null)
      .map(({ url, error }) => `The relay ${url} has a problem: ${error}.`),
    ...stranded.map(
      ({ machine, open }) =>
        `${count(open)} jobs need files of ${machine}, which does not run. Start it, or run zoetrope nodes forget ${machine}.`,
    ),
  ].filter((alert) => alert !== undefined);
  if (alerts.length === 0) return nothing;
  return html`<section aria-labelledby="alerts">
    <h2 id="alerts">Needs attention</h2>
    <ul class="findings">${alerts.map((alert) => html`<li data-state="wrong">${alert}</li>`)}</ul>
  </section>`;
}

function renderNumbers({ gifs, build, jobs, clients, freeBytes, growing, relays }: Overview): TemplateResult {
  const oldest = jobs.oldestSeconds === null ? '' : `, the oldest for ${spanOf(jobs.oldestSeconds)}`;
  const broken = relays.filter(({ error }) => error !== null).length;
  return html`<h2 class="visually-hidden">Numbers</h2>
    <dl class="figures">
      ${figure('GIFs found by searches', count(gifs.found), `of ${count(gifs.catalogue)} that are not hidden`, '/review/catalogue')}
      ${figure('GIFs to review', count(gifs.toReview), 'reported, uncertain or withheld', '/review/queue')}
      ${figure('Clients', count(clients.approved), `active, and ${count(clients.others)} others`, '/review/clients')}
      ${figure('Open jobs', count(jobs.open), jobs.open === 0 ? 'all is done' : `${growing ? 'GIFs are being added' : 'previews and the like'}${oldest}`, '/review/jobs')}
      ${figure('Free on the disk', bytesInWords(freeBytes), 'in the data folder')}
      ${relays.length === 0 ? nothing : figure('Relays', count(relays.length), broken === 0 ? 'all are followed' : `${count(broken)} have a problem`, '/review/sources')}
      ${figure('Build', build === null ? 'none yet' : build.slice(0, 8), build === null ? 'the first one is made when there are GIFs' : `with ${count(gifs.found)} GIFs`, '/review/builds')}
    </dl>`;
}

function figure(name: string, value: string, note: string, to = ''): TemplateResult {
  const number = html`<span class="number">${value}</span>`;
  return html`<div class="figure"><dt>${to === '' ? name : html`<a href=${`${BASE}${to}`}>${name}</a>`}</dt>
    <dd>${number}<br /><span class="muted">${note}</span></dd></div>`;
}

function renderHealth({ checking, findings, checkedAt, disk }: HealthReport): TemplateResult {
  return html`<p role="status" class=${checking ? 'muted' : 'visually-hidden'}>${
    checking ? 'Checking … The checks of zoetrope doctor take up to a minute.' : 'The checks have ended.'
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
  return html`${told.length === 0 ? html`<p class="done">No problems.</p>` : html`<ul class="findings">${told.map(renderFinding)}</ul>`}
    <details><summary>${counted(well.length, 'check')} without a problem</summary>
      <ul class="findings">${well.map(renderFinding)}</ul></details>`;
}

function renderDisk(checkedAt: number, disk: NonNullable<HealthReport['disk']>): TemplateResult {
  return html`<p class="muted">Checked ${momentOf(checkedAt)}. The data folder has ${bytesInWords(disk.media)} of media,
      ${bytesInWords(disk.builds)} of builds, ${bytesInWords(disk.models)} of models,
      ${bytesInWords(disk.starter)} of starter GIFs and ${bytesInWords(disk.others)} of other files.</p>`;
}

function renderFinding({ check, state, message, items }: HealthReport['findings'][number]): TemplateResult {
  const label = { wrong: 'Problem: ', note: 'Note: ', well: '' }[state];
  return html`<li data-state=${state}><strong>${label}${check}</strong>: ${message}
    ${items.length === 0 ? nothing : html`<ul>${items.slice(0, 20).map((item) => html`<li>${item}</li>`)}</ul>`}</li>`;
}

function renderMachines({ nodes, relays }: Overview): TemplateResult {
  return html`${nodes.length === 0 ? nothing : renderNodes(nodes)} ${relays.length === 0 ? nothing : renderRelays(relays)}`;
}

function renderNodes(nodes: Overview['nodes']): TemplateResult {
  return html`<div><h2 id="nodes">Processes</h2>
    <div class="scroll" tabindex="0" role="region" aria-labelledby="nodes"><table>
      <thead><tr><th scope="col">Machine</th><th scope="col">Does</th><th scope="col">Build</th>
        <th scope="col">Changes behind</th><th scope="col">Jobs</th></tr></thead>
      <tbody>${nodes.map(
        ({ machine, role, build, behind, claims }) => html`<tr><td>${machine}</td><td>${role}</td>
          <td>${build?.slice(0, 12) ?? '–'}</td><td>${behind ?? '–'}</td><td>${count(claims)}</td></tr>`,
      )}</tbody>
    </table></div></div>`;
}

function renderRelays(relays: Overview['relays']): TemplateResult {
  return html`<div><h2 id="relays">Relays</h2>
    <div class="scroll" tabindex="0" role="region" aria-labelledby="relays"><table>
      <thead><tr><th scope="col">Relay</th><th scope="col">State</th><th scope="col">Since</th>
        <th scope="col">Events taken</th></tr></thead>
      <tbody>${relays.map(
        ({ url, state, error, changedAt, taken }) => html`<tr><td class="long">${url}</td>
          <td>${state}${error === null ? '' : `: ${error}`}</td><td class="moment">${momentOf(changedAt)}</td>
          <td>${count(taken)}</td></tr>`,
      )}</tbody>
    </table></div></div>`;
}

customElements.define('overview-page', OverviewPage);
