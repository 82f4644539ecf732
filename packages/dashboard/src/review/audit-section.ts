import type { AuditTrail } from '@zoetrope/contract/account';
import { html, nothing, type TemplateResult } from 'lit';
import { ask } from '../api.ts';
import { BASE } from '../navigation.ts';
import { Loaded } from '../parts/loaded.ts';
import { fieldsOf, Panel } from '../parts/panel.ts';
import { say } from '../words/operators.ts';
import { momentOf } from '../words.ts';

type Entry = AuditTrail['entries'][number];

/** The audit log of one client or of all clients, latest first. */
export class AuditSection extends Panel {
  static override properties = { clientId: {} };
  /** Id of the client, or an empty string for all clients. */
  declare clientId: string;
  /** Search terms when showing all clients. */
  #wanted: Record<string, string> = {};
  readonly #trail = new Loaded(this, () => ask('audit', { query: this.#query }));

  override render() {
    const isOfAll = this.clientId === '';
    const title = isOfAll ? say('auditLog') : say('history');
    return html`${isOfAll ? this.#renderForm() : html`<h2>${title}</h2>`} ${this.renderDone()}
      ${this.#trail.render((trail) => this.#renderTrail(trail, title))}`;
  }

  /** Loads the log again. */
  reload(): Promise<void> {
    return this.#trail.reload();
  }

  get #query(): Record<string, string> {
    return this.clientId === '' ? this.#wanted : { client: this.clientId };
  }

  #renderForm(): TemplateResult {
    return html`<form class="fields" role="search" @submit=${this.#search}>
        <div class="field"><label for="audit-client">${say('client')}</label>
          <input id="audit-client" name="client" type="search" maxlength="200" placeholder=${say('idOrName')} autocomplete="off"
            spellcheck="false" /></div>
        <div class="field"><label for="audit-actor">${say('actor')}</label>
          <input id="audit-actor" name="actor" type="search" maxlength="200" placeholder=${say('npubOrPayment')}
            autocomplete="off" spellcheck="false" /></div>
        <div class="field"><label for="audit-action">${say('action')}</label>
          <input id="audit-action" name="action" type="search" maxlength="200" placeholder=${say('actionExample')}
            autocomplete="off" spellcheck="false" /></div>
        <button type="submit" aria-disabled=${this.busy}>${say('search')}</button>
      </form>
      ${this.renderFailed('search')}`;
  }

  #renderTrail({ entries, hasMore }: AuditTrail, title: string): TemplateResult {
    if (entries.length === 0) return html`<p class="card muted">${say('noEntries')}</p>`;
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${title}>
        <table>
          <thead>
            <tr>
              <th scope="col">${say('when')}</th>${this.clientId === '' ? html`<th scope="col">${say('client')}</th>` : nothing}
              <th scope="col">${say('what')}</th><th scope="col">${say('to')}</th><th scope="col">${say('by')}</th>
            </tr>
          </thead>
          <tbody>${entries.map((entry) => this.#renderEntry(entry))}</tbody>
        </table>
      </div>
      ${
        hasMore
          ? html`<p><button type="button" class="plain" aria-disabled=${this.busy} @click=${() => this.#showOlder(entries)}>${say('showOlder')}</button></p>`
          : nothing
      }
      ${this.renderFailed('older')}`;
  }

  #renderEntry({ at, clientId, clientName, action, subject, actor }: Entry): TemplateResult {
    return html`<tr>
      <td class="moment">${momentOf(at)}</td>
      ${this.clientId === '' ? html`<td>${renderClient(clientId, clientName)}</td>` : nothing}
      <td>${action}</td><td class="long">${subject}</td><td class="long">${actor}</td>
    </tr>`;
  }

  #search(event: SubmitEvent): Promise<void> {
    this.#wanted = fieldsOf(event);
    return this.act('search', async () => {
      const found = await ask('audit', { query: this.#query });
      this.#trail.set(found);
      return found.entries.length === 0 ? say('noMatchingEntries') : '';
    });
  }

  #showOlder(shown: Entry[]): Promise<void> {
    return this.act('older', async () => {
      const older = await ask('audit', { query: { ...this.#query, before: `${shown.at(-1)!.id}` } });
      this.#trail.set({ ...older, entries: [...shown, ...older.entries] });
      return say('showingMore', { n: older.entries.length });
    });
  }
}

/** Renders a client's name, if the change concerns a client. A deleted client has no page to link to. */
function renderClient(id: string, name: string): TemplateResult | typeof nothing {
  if (id === '') return nothing;
  return name === ''
    ? html`<code>${id}</code> <span class="muted">${say('isDeleted')}</span>`
    : html`<a href=${`${BASE}/review/clients/${id}`}>${name}</a>`;
}

customElements.define('audit-section', AuditSection);
