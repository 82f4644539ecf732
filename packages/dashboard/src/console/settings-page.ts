import type { SettingList } from '@zoetrope/contract/account';
import { html, nothing, type TemplateResult } from 'lit';
import { ask } from '../api.ts';
import { Loaded } from '../parts/loaded.ts';
import { Panel } from '../parts/panel.ts';
import { rich, say } from '../words/operators.ts';

type Setting = SettingList['settings'][number];

/** Every setting in force. Settings can only be changed on the server. */
class SettingsPage extends Panel {
  readonly #list = new Loaded(this, () => ask('settings'));
  #sought = '';
  #isChangedOnly = false;

  override render() {
    return html`<h1>${say('settings')}</h1>
      <form role="search" class="filters" @input=${this.#filter} @submit=${(event: Event) => event.preventDefault()}>
        <p class="field words"><label for="settings-q">${say('findSetting')}</label>
          <input id="settings-q" name="q" type="search" autocomplete="off" spellcheck="false" /></p>
        <p class="field"><label class="check"><input type="checkbox" name="changed" /> ${say('onlySet')}</label></p>
      </form>
      ${this.#list.render((list) => this.#renderList(list))}`;
  }

  #renderList({ settings, file }: SettingList): TemplateResult {
    const found = settings.filter((setting) => this.#isWanted(setting));
    return html`<p class="muted">${say('toChange', { file: file === '' ? say('defaultFile') : file })}</p>
      ${found.length === 0 ? html`<p class="card muted">${say('noSetting')}</p>` : nothing}
      <ul class="rows">${found.map((setting) => this.#renderSetting(setting))}</ul>`;
  }

  #renderSetting({
    variable,
    table,
    name,
    value,
    source,
    default: usual,
    values,
    description,
  }: Setting): TemplateResult {
    return html`<li class="card">
      <h2 class="setting"><code class="long">${variable}</code></h2>
      <p><strong class="long">${value === '' ? say('empty') : value}</strong>
        <span class="muted">${sourceOf(source, usual)}</span></p>
      <p>${description}</p>
      <p class="muted">${rich('inFile', { values, name: html`<code>${name}</code>`, table: html`<code>[${table}]</code>` })}</p>
    </li>`;
  }

  #isWanted({ variable, description, source }: Setting): boolean {
    if (this.#isChangedOnly && source === 'default') return false;
    return `${variable} ${description}`.toLowerCase().includes(this.#sought);
  }

  #filter(event: Event): void {
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    this.#sought = String(fields.get('q')).trim().toLowerCase();
    this.#isChangedOnly = fields.has('changed');
    this.requestUpdate();
  }
}

function sourceOf(source: Setting['source'], usual: string): string {
  const name = say(`set_${source}`);
  return source === 'default'
    ? name
    : say('sourceDefault', { source: name, default: usual === '' ? say('empty') : usual });
}

customElements.define('settings-page', SettingsPage);
