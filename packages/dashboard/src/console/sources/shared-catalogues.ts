import type { SharedCatalogues } from '@zoetrope/contract/account';
import { html, LitElement, type TemplateResult } from 'lit';
import { ask } from '../../api.ts';
import { BASE } from '../../navigation.ts';
import { Loaded } from '../../parts/loaded.ts';
import { rich, say } from '../../words/operators.ts';
import { momentOf, shortened } from '../../words.ts';

type Followed = SharedCatalogues['followed'][number];

/** The catalogues of other services that this service follows, and its own catalogue, which others can follow. */
class SharedCataloguesSection extends LitElement {
  readonly #shared = new Loaded(this, () => ask('sharedCatalogues'));

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override render() {
    return html`<h2 id="catalogues">${say('sharedCatalogues')}</h2>
      ${this.#shared.render(
        (shared) => html`${shared.followed.length === 0 ? renderNone() : renderFollowed(shared.followed)}
          <h3>${say('yourCatalogue')}</h3>
          <p>${renderOwn(shared)}</p>`,
      )}`;
  }
}

function renderNone(): TemplateResult {
  const command = html`<code>npx zoetrope add https://gifs.example</code>`;
  return html`<p class="card muted">${rich('noCatalogue', { command })}</p>`;
}

function renderFollowed(followed: readonly Followed[]): TemplateResult {
  return html`<div class="scroll" tabindex="0" role="region" aria-labelledby="catalogues"><table>
    <thead><tr><th scope="col">URL</th><th scope="col">${say('stateLabel')}</th><th scope="col">${say('gifs')}</th>
      <th scope="col">${say('signedBy')}</th><th scope="col">${say('lastLook')}</th></tr></thead>
    <tbody>${followed.map(
      (one) => html`<tr><td class="long">${one.url}</td>
        <td class=${one.state === 'failed' ? 'long failed' : 'long'}>${stateOf(one)}</td>
        <td>${say('takenOf', { taken: one.taken, gifs: one.gifs, known: one.known })}</td>
        <td>${one.key === null ? '–' : html`<code title=${one.key}>${shortened(one.key)}</code>`}</td>
        <td class="moment">${one.checkedAt === 0 ? '–' : momentOf(one.checkedAt)}</td></tr>`,
    )}</tbody>
  </table></div>`;
}

function stateOf({ state, error }: Followed): string {
  return state === 'failed' ? say('catalogue_failed', { error: error ?? '' }) : say(`catalogue_${state}`);
}

function renderOwn({ publishing, published }: SharedCatalogues): unknown {
  if (!publishing) return rich('publishOff', { variable: html`<code>ZOETROPE_PUBLISH=on</code>` });
  if (published === null) return say('publishedNothing');
  const { gifs, key, writtenAt } = published;
  const url = html`<code class="long">${new URL(`${BASE}/..`, location.href).href}</code>`;
  const signer = html`<code title=${key}>${shortened(key)}</code>`;
  return rich('published', { n: gifs, url, key: signer, date: momentOf(writtenAt) });
}

customElements.define('shared-catalogues', SharedCataloguesSection);
