import type { BackupList } from '@zoetrope/contract/account';
import { html, LitElement, type TemplateResult } from 'lit';
import { ask } from '../../api.ts';
import { Loaded } from '../../parts/loaded.ts';
import { bytesInWords, count, momentOf, spanOf } from '../../words.ts';

type Backup = BackupList['backups'][number];

/** The backups that were made with the command. */
class BackupsPage extends LitElement {
  readonly #list = new Loaded(this, () => ask('backups'));

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override render() {
    return html`<h1>Backups</h1>
      <p>To make a backup, type <code>npx zoetrope backup FOLDER</code> on the server, with a new folder, best on another
        disk. The service keeps running. Let a timer do this every week.</p>
      ${this.#list.render(({ backups }) => (backups.length === 0 ? NONE : renderBackups(backups)))}`;
  }
}

const NONE = html`<p class="card muted">No backup has been made yet. Without one, a broken disk takes the catalogue and the
  originals of your GIFs with it.</p>`;

function renderBackups(backups: readonly Backup[]): TemplateResult {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Backups"><table>
    <thead><tr><th scope="col">When</th><th scope="col">Folder</th><th scope="col">Result</th><th scope="col">GIFs</th>
      <th scope="col">Size</th><th scope="col">Took</th></tr></thead>
    <tbody>${backups.map(
      (backup) => html`<tr><th scope="row" class="moment">${momentOf(backup.at)}</th>
        <td class="long">${backup.folder}${backup.machine === '' ? '' : ` on ${backup.machine}`}</td>
        <td class=${backup.problem === '' ? '' : 'failed'}>${resultOf(backup)}</td>
        <td>${backup.made ? count(backup.gifs) : '–'}</td><td>${backup.made ? bytesInWords(backup.bytes) : '–'}</td>
        <td>${spanOf(backup.milliseconds / 1_000)}</td></tr>`,
    )}</tbody>
  </table></div>`;
}

function resultOf({ made, problem }: Backup): string {
  if (made) return problem === '' ? 'complete' : `complete, but ${problem}`;
  return `failed: ${problem}`;
}

customElements.define('backups-page', BackupsPage);
