import type { BackupList } from '@zoetrope/contract/account';
import { html, nothing, type TemplateResult } from 'lit';
import { ask } from '../../api.ts';
import { Loaded } from '../../parts/loaded.ts';
import { Panel } from '../../parts/panel.ts';
import { rich, say } from '../../words/operators.ts';
import { bytesInWords, count, momentOf, spanOf } from '../../words.ts';
import { Lookout, renderRunning } from './running.ts';

type Backup = BackupList['backups'][number];

/** The backups that were made, and a button that makes one. */
class BackupsPage extends Panel {
  readonly #list = new Loaded(this, () => ask('backups'));

  constructor() {
    super();
    new Lookout(
      this,
      () => this.#list.value?.running != null,
      () => this.#list.reload(),
    );
  }

  override render() {
    return html`<h1>${say('backups')}</h1>
      <p>${rich('backupsIntro', { command: html`<code>npx zoetrope backup FOLDER</code>` })}</p>
      ${this.renderDone()}${this.renderFailed('backup')}
      ${this.#list.render((list) => this.#renderMake(list))}
      ${this.#list.render(({ backups }) => (backups.length === 0 ? html`<p class="card muted">${say('noBackup')}</p>` : renderBackups(backups)))}`;
  }

  #renderMake({ folder, running }: BackupList): TemplateResult {
    if (folder === '') return html`<p>${rich('setBackups', { variable: html`<code>ZOETROPE_BACKUPS</code>` })}</p>`;
    return html`<p><button type="button" aria-disabled=${this.busy || running !== null} @click=${() => this.#make(running)}>${say('makeBackup')}</button>
        <span class="muted">${say('intoFolder', { folder })}</span></p>
      ${running === null ? nothing : renderRunning(running)}`;
  }

  async #make(running: BackupList['running']): Promise<void> {
    if (running !== null) return;
    await this.act('backup', async () => {
      this.#list.set(await ask('makeBackup'));
      return say('backupStarted');
    });
  }
}

function renderBackups(backups: readonly Backup[]): TemplateResult {
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${say('backups')}><table>
    <thead><tr><th scope="col">${say('when')}</th><th scope="col">${say('folder')}</th><th scope="col">${say('result')}</th><th scope="col">${say('gifs')}</th>
      <th scope="col">${say('size')}</th><th scope="col">${say('took')}</th></tr></thead>
    <tbody>${backups.map(
      (backup) => html`<tr><th scope="row" class="moment">${momentOf(backup.at)}</th>
        <td class="long">${placeOf(backup)}</td>
        <td class=${backup.problem === '' ? 'long' : 'long failed'}>${resultOf(backup)}</td>
        <td>${backup.made ? count(backup.gifs) : '–'}</td><td>${backup.made ? bytesInWords(backup.bytes) : '–'}</td>
        <td>${spanOf(backup.milliseconds / 1_000)}</td></tr>`,
    )}</tbody>
  </table></div>`;
}

function placeOf({ folder, machine }: Backup): string {
  return machine === '' ? folder : say('folderOn', { folder, machine });
}

function resultOf({ made, problem }: Backup): string {
  if (made) return problem === '' ? say('complete') : say('completeBut', { problem });
  return say('failed', { problem });
}

customElements.define('backups-page', BackupsPage);
