import type { BuildList } from '@zoetrope/contract/account';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { ask } from '../../api.ts';
import { Loaded } from '../../parts/loaded.ts';
import { rich, say } from '../../words/operators.ts';
import { bytesInWords, count, momentOf } from '../../words.ts';

type Build = BuildList['builds'][number];

/** The builds on the disk: what searches use, and what they used before. */
class BuildsPage extends LitElement {
  readonly #list = new Loaded(this, () => ask('builds'));

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override render() {
    return html`<h1>${say('builds')}</h1>
      <p>${say('buildsIntro')}</p>
      ${this.#list.render(renderList)}`;
  }
}

function renderList({ builds, others, isInCluster }: BuildList): TemplateResult {
  if (isInCluster) {
    return html`<p class="card muted">${rich('inCluster', { command: html`<code>npx zoetrope index check</code>` })}</p>`;
  }
  const [current] = builds.filter(({ isCurrent }) => isCurrent);
  return html`${builds.length === 0 ? html`<p class="card muted">${say('noBuild')}</p>` : renderBuilds(builds, current)}
    ${others.map(({ machine, build }) => html`<p>${rich('servesOther', { machine, build: html`<code>${build}</code>` })}</p>`)}`;
}

function renderBuilds(builds: readonly Build[], current: Build | undefined): TemplateResult {
  const isShared = builds.some(({ servedBy }) => servedBy.length > 0);
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${say('builds')}><table>
    <thead><tr><th scope="col">${say('build')}</th><th scope="col">${say('stateLabel')}</th><th scope="col">${say('gifs')}</th><th scope="col">${say('size')}</th>
      <th scope="col">${say('written')}</th><th scope="col">${say('changesBehind')}</th>
      ${isShared ? html`<th scope="col">${say('servedBy')}</th>` : nothing}</tr></thead>
    <tbody>${builds.map(
      (listed) => html`<tr><th scope="row"><code>${listed.build}</code></th><td>${stateOf(listed, current)}</td>
        <td>${count(listed.gifs)}</td>
        <td>${say('sizeInSegments', { size: bytesInWords(listed.bytes), n: listed.earlier.length + 1 })}</td>
        <td class="moment">${momentOf(listed.writtenAt)}</td><td>${count(listed.behind)}</td>
        ${isShared ? html`<td>${listed.servedBy.join(', ') || '–'}</td>` : nothing}</tr>`,
    )}</tbody>
  </table></div>`;
}

function stateOf({ build, isCurrent }: Build, current: Build | undefined): string {
  if (isCurrent) return say('current');
  return current?.earlier.includes(build) ? say('partOfCurrent') : say('former');
}

customElements.define('builds-page', BuildsPage);
