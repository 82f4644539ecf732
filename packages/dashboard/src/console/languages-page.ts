import type { Languages } from '@zoetrope/contract/account';
import { html, type TemplateResult } from 'lit';
import { ask } from '../api.ts';
import '../parts/confirm-button.ts';
import { Loaded } from '../parts/loaded.ts';
import { Panel } from '../parts/panel.ts';
import { rich, say } from '../words/operators.ts';
import { bytesInWords } from '../words.ts';

/** What searches by meaning and searches in other languages use. */
class LanguagesPage extends Panel {
  readonly #languages = new Loaded(this, () => ask('languages'));

  override render() {
    return html`<h1>${say('modelsAndLanguages')}</h1>
      ${this.renderDone()} ${this.#languages.render(
        (languages) => html`${renderModels(languages)} ${this.#renderDictionaries(languages.dictionaries)}`,
      )}`;
  }

  #renderDictionaries(dictionaries: Languages['dictionaries']): TemplateResult {
    return html`<h2>${say('dictionaries')}</h2>
      <p>${rich('dictionariesIntro', { command: html`<code>npx zoetrope languages add FILE</code>` })}</p>
      ${this.renderFailed('dictionaries')}
      ${dictionaries.length === 0 ? html`<p class="card muted">${say('noDictionaries')}</p>` : ''}
      <ul class="rows" aria-label=${say('dictionaries')}>${dictionaries.map((dictionary) => this.#renderDictionary(dictionary))}</ul>`;
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
      <p><code>${name}</code> <span class="muted">${say('dictionaryFacts', { n: terms, language, size: bytesInWords(bytes) })}</span></p>
      <p class="muted">${licence ?? say('noLicence')}</p>
      <confirm-button .label=${say('remove')} .subject=${name} .action=${say('removeDictionary')} .busy=${this.busy}
        .consequence=${say('dictionaryRemoval')}
        @confirmed=${() => this.#remove(name)}></confirm-button>
    </li>`;
  }

  #remove(name: string): Promise<void> {
    return this.act('dictionaries', async () => {
      this.#languages.set(await ask('removeDictionary', { path: { name } }));
      return say('removed', { value: name });
    });
  }
}

function renderModels({ embedder: { provider, model }, models }: Languages): TemplateResult {
  return html`<h2>${say('models')}</h2>
    <p>${rich('meaningUses', {
      what: html`${USED[provider]?.() ?? provider}${model === '' ? '' : html` <code class="long">${model}</code>`}`,
      setting: html`<code>ZOETROPE_EMBEDDER=${provider}</code>`,
    })}</p>
    <ul class="rows" aria-label=${say('models')}>${models.map(renderModel)}</ul>`;
}

/** What each value of ZOETROPE_EMBEDDER means. */
const USED: Readonly<Record<string, () => string>> = {
  bundled: () => say('uses_bundled'),
  table: () => say('uses_table'),
  onnx: () => say('uses_onnx'),
  http: () => say('uses_http'),
  none: () => say('uses_none'),
};

function renderModel(model: Languages['models'][number]): TemplateResult {
  const { name, repository, licence, dimensions, maxBytes, pulled, inUse } = model;
  const state = inUse ? say('inUse') : pulled ? say('downloaded') : say('notDownloaded');
  return html`<li class="card">
    <h3>${name}</h3>
    <p><span class="state" data-state=${pulled ? 'approved' : 'none'}>${state}</span>
      <span class="muted">${say('modelFacts', { repository, licence, dimensions, size: bytesInWords(maxBytes) })}</span></p>
    ${pulled ? '' : html`<p>${rich('toDownload', { command: html`<code>npx zoetrope models pull ${name}</code>` })}</p>`}
    ${
      inUse
        ? ''
        : html`<p>${rich('toUse', {
            first: html`<code>ZOETROPE_EMBEDDER=onnx</code>`,
            second: html`<code>ZOETROPE_EMBEDDER_MODEL=${name}</code>`,
          })}</p>`
    }
  </li>`;
}

customElements.define('languages-page', LanguagesPage);
