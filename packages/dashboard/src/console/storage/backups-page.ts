import type { BackupList } from '@zoetrope/contract/account';
import { html, LitElement, type TemplateResult } from 'lit';
import { ask } from '../../api.ts';
import { Loaded } from '../../parts/loaded.ts';
import { rich, say } from '../../words/operators.ts';
import { bytesInWords, count, momentOf, spanOf } from '../../words.ts';

type Backup = BackupList['backups'][number];

/** The backups that were made with the command. */
class BackupsPage extends LitElement {
  readonly #list = new Loaded(this, () => ask('backups'));

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override render() {
    return html`<h1>${say('backups')}</h1>
      <p>${rich('backupsIntro', { command: html`<code>npx zoetrope backup FOLDER</code>` })}</p>
      ${this.#list.render(({ backups }) => (backups.length === 0 ? html`<p class="card muted">${say('noBackup')}</p>` : renderBackups(backups)))}`;
  }
}

function renderBackups(backups: readonly Backup[]): TemplateResult {
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${say('backups')}><table>
    <thead><tr><th scope="col">${say('when')}</th><th scope="col">${say('folder')}</th><th scope="col">${say('result')}</th><th scope="col">${say('gifs')}</th>
      <th scope="col">${say('size')}</th><th scope="col">${say('took')}</th></tr></thead>
    <tbody>${backups.map(
      (backup) => html`<tr><th scope="row" class="moment">${momentOf(backup.at)}</th>
        <td class="long">${placeOf(backup)}</td>
        <td class=${backup.problem === '' ? '' : 'failed'}>${resultOf(backup)}</td>
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
