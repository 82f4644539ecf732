import type { BuildList } from '@zoetrope/contract/account';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { ask } from '../../api.ts';
import { Loaded } from '../../parts/loaded.ts';
import { bytesInWords, count, counted, momentOf } from '../../words.ts';

type Build = BuildList['builds'][number];

/** The builds on the disk: what searches use, and what they used before. */
class BuildsPage extends LitElement {
  readonly #list = new Loaded(this, () => ask('builds'));

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override render() {
    return html`<h1>Builds</h1>
      <p>A build is the index that searches use. The service makes another one after the catalogue has changed, and
        removes old ones. Hidden GIFs are left out of results immediately, in every build.</p>
      ${this.#list.render(renderList)}`;
  }
}

function renderList({ builds, others, isInCluster }: BuildList): TemplateResult {
  if (isInCluster) {
    return html`<p class="card muted">The index is in a search cluster, so there are no builds.
      <code>npx zoetrope index check</code> compares it with the catalogue.</p>`;
  }
  const [current] = builds.filter(({ isCurrent }) => isCurrent);
  return html`${builds.length === 0 ? html`<p class="card muted">There is no build yet. The first one is made when there are GIFs.</p>` : renderBuilds(builds, current)}
    ${others.map(({ machine, build }) => html`<p>${machine} serves <code>${build}</code>, which is not on this disk.</p>`)}`;
}

function renderBuilds(builds: readonly Build[], current: Build | undefined): TemplateResult {
  const isShared = builds.some(({ servedBy }) => servedBy.length > 0);
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Builds"><table>
    <thead><tr><th scope="col">Build</th><th scope="col">State</th><th scope="col">GIFs</th><th scope="col">Size</th>
      <th scope="col">Written</th><th scope="col">Changes behind</th>
      ${isShared ? html`<th scope="col">Served by</th>` : nothing}</tr></thead>
    <tbody>${builds.map(
      (listed) => html`<tr><th scope="row"><code>${listed.build}</code></th><td>${stateOf(listed, current)}</td>
        <td>${count(listed.gifs)}</td>
        <td>${bytesInWords(listed.bytes)} in ${counted(listed.earlier.length + 1, 'segment')}</td>
        <td class="moment">${momentOf(listed.writtenAt)}</td><td>${count(listed.behind)}</td>
        ${isShared ? html`<td>${listed.servedBy.join(', ') || '–'}</td>` : nothing}</tr>`,
    )}</tbody>
  </table></div>`;
}

function stateOf({ build, isCurrent }: Build, current: Build | undefined): string {
  if (isCurrent) return 'current';
  return current?.earlier.includes(build) ? 'part of the current build' : 'former';
}

customElements.define('builds-page', BuildsPage);
