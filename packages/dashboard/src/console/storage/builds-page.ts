import type { BuildList } from '@zoetrope/contract/account';
import { html, nothing, type TemplateResult } from 'lit';
import { ask } from '../../api.ts';
import '../../parts/confirm-button.ts';
import { Loaded } from '../../parts/loaded.ts';
import { Panel } from '../../parts/panel.ts';
import { rich, say } from '../../words/operators.ts';
import { bytesInWords, count, momentOf } from '../../words.ts';
import { renderHeld } from './held.ts';

type Build = BuildList['builds'][number];

/** The builds on the disk: the build that searches use, and earlier builds. */
class BuildsPage extends Panel {
  readonly #list = new Loaded(this, () => ask('builds'));

  override render() {
    return html`<h1>${say('builds')}</h1>
      <p>${say('buildsIntro')}</p>
      ${this.renderDone()}${this.renderFailed('builds')}
      ${this.#list.render((list) => html`${this.#renderHeld(list)}${renderList(list, this.#renderUse)}`)}`;
  }

  #renderHeld({ held }: BuildList): TemplateResult | typeof nothing {
    if (held === null) return nothing;
    return html`<p class="card">${renderHeld(held, { busy: this.busy, release: () => this.#release() })}</p>`;
  }

  readonly #renderUse = ({ build }: Build): TemplateResult =>
    html`<confirm-button .label=${say('rollBackTo')} .subject=${build} .action=${say('rollBack')} .busy=${this.busy}
      .consequence=${say('rollBackMeans')} @confirmed=${() => this.#use(build)}></confirm-button>`;

  #use(build: string): Promise<void> {
    return this.act('builds', async () => {
      this.#list.set(await ask('holdBuild', { body: { build } }));
      return say('rolledBack', { build });
    });
  }

  #release(): Promise<void> {
    return this.act('builds', async () => {
      this.#list.set(await ask('releaseBuild'));
      return say('released');
    });
  }
}

/** Renders the button that rolls back to a build. */
type RenderUse = (build: Build) => TemplateResult;

function renderList({ builds, others, isInCluster, held }: BuildList, renderUse: RenderUse): TemplateResult {
  if (isInCluster) {
    return html`<p class="card muted">${rich('inCluster', { command: html`<code>npx zoetrope index check</code>` })}</p>`;
  }
  const [current] = builds.filter(({ isCurrent }) => isCurrent);
  return html`${builds.length === 0 ? html`<p class="card muted">${say('noBuild')}</p>` : renderBuilds(builds, current, (listed) => (listed.build === held?.build ? nothing : renderUse(listed)))}
    ${others.map(({ machine, build }) => html`<p>${rich('servesOther', { machine, build: html`<code>${build}</code>` })}</p>`)}`;
}

function renderBuilds(
  builds: readonly Build[],
  current: Build | undefined,
  renderAct: (build: Build) => TemplateResult | typeof nothing,
): TemplateResult {
  const isShared = builds.some(({ servedBy }) => servedBy.length > 0);
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${say('builds')}><table>
    <thead><tr><th scope="col">${say('build')}</th><th scope="col">${say('stateLabel')}</th><th scope="col">${say('gifs')}</th><th scope="col">${say('size')}</th>
      <th scope="col">${say('written')}</th><th scope="col">${say('changesBehind')}</th>
      ${isShared ? html`<th scope="col">${say('servedBy')}</th>` : nothing}<td></td></tr></thead>
    <tbody>${builds.map(
      (listed) => html`<tr><th scope="row"><code>${listed.build}</code></th><td>${stateOf(listed, current)}</td>
        <td>${count(listed.gifs)}</td>
        <td>${say('sizeInSegments', { size: bytesInWords(listed.bytes), n: listed.earlier.length + 1 })}</td>
        <td class="moment">${momentOf(listed.writtenAt)}</td><td>${count(listed.behind)}</td>
        ${isShared ? html`<td class="long">${listed.servedBy.join(', ') || '–'}</td>` : nothing}
        <td>${listed.isCurrent ? nothing : renderAct(listed)}</td></tr>`,
    )}</tbody>
  </table></div>`;
}

function stateOf({ build, isCurrent }: Build, current: Build | undefined): string {
  if (isCurrent) return say('current');
  return current?.earlier.includes(build) ? say('partOfCurrent') : say('former');
}

customElements.define('builds-page', BuildsPage);
