import type { Languages } from '@zoetrope/contract/account';
import { html, type TemplateResult } from 'lit';
import { ask } from '../api.ts';
import '../parts/confirm-button.ts';
import { Loaded } from '../parts/loaded.ts';
import { Panel } from '../parts/panel.ts';
import { rich, say } from '../words/operators.ts';
import { bytesInWords } from '../words.ts';
import { renderModels } from './storage/models.ts';
import { Lookout } from './storage/running.ts';

/** What searches by meaning and searches in other languages use. */
class LanguagesPage extends Panel {
  readonly #languages = new Loaded(this, () => ask('languages'));

  constructor() {
    super();
    new Lookout(
      this,
      () => this.#languages.value?.pulling != null,
      () => this.#languages.reload(),
    );
  }

  override render() {
    return html`<h1>${say('modelsAndLanguages')}</h1>
      ${this.renderDone()} ${this.renderFailed('models')} ${this.#languages.render(
        (languages) =>
          html`${renderModels(languages, this.#models())} ${this.#renderDictionaries(languages.dictionaries)}`,
      )}`;
  }

  #models(): Parameters<typeof renderModels>[1] {
    return {
      busy: this.busy,
      pull: (name) =>
        this.act('models', async () => {
          this.#languages.set(await ask('pullModel', { path: { name } }));
          return say('pullStarted', { name });
        }),
      remove: (name) =>
        this.act('models', async () => {
          this.#languages.set(await ask('removeModel', { path: { name } }));
          return say('removed', { value: name });
        }),
    };
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

customElements.define('languages-page', LanguagesPage);
