import type { MemberList } from '@zoetrope/contract/account';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { ask } from '../../api.ts';
import { Loaded } from '../../parts/loaded.ts';
import { rich, say } from '../../words/operators.ts';
import { bytesInWords, count, shortened } from '../../words.ts';

/** The people who can upload GIFs, and what each of them has uploaded. */
class MembersSection extends LitElement {
  readonly #list = new Loaded(this, () => ask('members'));

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override render() {
    return html`<h2 id="members">${say('members')}</h2>
      ${this.#list.render(({ members, quota }) => html`<p>${renderNote(members, quota)}</p>${renderTable(members)}`)}`;
  }
}

function renderNote(members: MemberList['members'], { files, bytes }: MemberList['quota']): unknown {
  const variable = html`<code>ZOETROPE_MEMBERS</code>`;
  if (members.length === 0) return rich('noMembers', { variable });
  return rich('membersNote', { files: count(files), bytes: bytesInWords(bytes), variable });
}

function renderTable(members: MemberList['members']): TemplateResult | typeof nothing {
  if (members.length === 0) return nothing;
  return html`<div class="scroll" tabindex="0" role="region" aria-labelledby="members"><table>
    <thead><tr><th scope="col">${say('member')}</th>${(['filesOfDay', 'bytesOfDay', 'allUploads'] as const).map(
      (name) => html`<th scope="col" class="number-cell">${say(name)}</th>`,
    )}</tr></thead>
    <tbody>${members.map(
      ({ npub, files, bytes, uploads }) => html`<tr><td><code title=${npub}>${shortened(npub)}</code></td>
        <td class="number-cell">${count(files)}</td><td class="number-cell">${bytesInWords(bytes)}</td>
        <td class="number-cell">${count(uploads)}</td></tr>`,
    )}</tbody>
  </table></div>`;
}

customElements.define('members-section', MembersSection);
