import type { Languages } from '@zoetrope/contract/account';
import { html, type TemplateResult } from 'lit';
import { ask } from '../api.ts';
import '../parts/confirm-button.ts';
import { Loaded } from '../parts/loaded.ts';
import { Panel } from '../parts/panel.ts';
import { bytesInWords, counted } from '../words.ts';

/** What searches by meaning and searches in other languages use. */
class LanguagesPage extends Panel {
  readonly #languages = new Loaded(this, () => ask('languages'));

  override render() {
    return html`<h1>Models and languages</h1>
      ${this.renderDone()} ${this.#languages.render(
        (languages) => html`${renderModels(languages)} ${this.#renderDictionaries(languages.dictionaries)}`,
      )}`;
  }

  #renderDictionaries(dictionaries: Languages['dictionaries']): TemplateResult {
    return html`<h2>Dictionaries</h2>
      <p>Dictionaries let people search in languages other than English. To add one, type
        <code>npx zoetrope languages add FILE</code> on the server.</p>
      ${this.renderFailed('dictionaries')}
      ${dictionaries.length === 0 ? html`<p class="card muted">No dictionaries added yet.</p>` : ''}
      <ul class="rows" aria-label="Dictionaries">${dictionaries.map((dictionary) => this.#renderDictionary(dictionary))}</ul>`;
  }

  #renderDictionary({
    name,
    language,
    title,
    licence,
    terms,
    bytes,
  }: Languages['dictionaries'][number]): TemplateResult {
    return html`<li class="card">
      <h3>${title}</h3>
      <p><code>${name}</code> <span class="muted">language ${language}, ${counted(terms, 'word')}, ${bytesInWords(bytes)}</span></p>
      <p class="muted">${licence ?? 'The dictionary does not name its licence.'}</p>
      <confirm-button .label=${'Remove'} .subject=${name} .action=${'Remove dictionary'} .busy=${this.busy}
        .consequence=${'Searches in this language find less. To add it again, you need its file.'}
        @confirmed=${() => this.#remove(name)}></confirm-button>
    </li>`;
  }

  #remove(name: string): Promise<void> {
    return this.act('dictionaries', async () => {
      this.#languages.set(await ask('removeDictionary', { path: { name } }));
      return `${name} was removed.`;
    });
  }
}

function renderModels({ embedder: { provider, model }, models }: Languages): TemplateResult {
  return html`<h2>Models</h2>
    <p>Search by meaning uses ${USED[provider] ?? provider}${model === '' ? '' : html` <code class="long">${model}</code>`}
      (<code>ZOETROPE_EMBEDDER=${provider}</code>). These models can be downloaded:</p>
    <ul class="rows" aria-label="Models">${models.map(renderModel)}</ul>`;
}

/** What each value of ZOETROPE_EMBEDDER means. */
const USED: Readonly<Record<string, string>> = {
  bundled: 'the English model that comes with Zoetrope',
  table: 'a table of English words',
  onnx: 'the model',
  http: 'a server with the model',
  none: 'nothing: searches use words alone',
};

function renderModel(model: Languages['models'][number]): TemplateResult {
  const { name, repository, licence, dimensions, maxBytes, pulled, inUse } = model;
  const state = inUse ? 'in use' : pulled ? 'downloaded' : 'not downloaded';
  return html`<li class="card">
    <h3>${name}</h3>
    <p><span class="state" data-state=${pulled ? 'approved' : 'none'}>${state}</span>
      <span class="muted">${repository}, licence ${licence}, ${dimensions} dimensions, at most ${bytesInWords(maxBytes)}</span></p>
    ${pulled ? '' : html`<p>To download it, type <code>npx zoetrope models pull ${name}</code> on the server.</p>`}
    ${inUse ? '' : html`<p>To use it, set <code>ZOETROPE_EMBEDDER=onnx</code> and <code>ZOETROPE_EMBEDDER_MODEL=${name}</code>.</p>`}
  </li>`;
}

customElements.define('languages-page', LanguagesPage);
