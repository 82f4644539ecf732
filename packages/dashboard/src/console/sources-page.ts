import type { Sources } from '@zoetrope/contract/account';
import { html, nothing, type TemplateResult } from 'lit';
import { ask } from '../api.ts';
import '../parts/confirm-button.ts';
import { Loaded } from '../parts/loaded.ts';
import { fieldsOf, Panel } from '../parts/panel.ts';
import { bytesInWords, count, counted, momentOf } from '../words.ts';

type Relay = Sources['relays'][number];
type Marked = Sources['marks'][number];

/** The relays that GIFs come from, and the adult marks in their events. */
class SourcesPage extends Panel {
  readonly #sources = new Loaded(this, () => ask('sources'));

  override render() {
    return html`<h1>Sources</h1>
      ${this.renderDone()} ${this.#sources.render((sources) => this.#renderSources(sources))}`;
  }

  #renderSources(sources: Sources): TemplateResult {
    return html`<div>
        <h2 id="relays">Relays</h2>
        <form class="inline" @submit=${this.#follow}>
          <label for="relay-url">URL of a relay</label>
          <input id="relay-url" name="url" required maxlength="2000" placeholder="wss://relay.example" autocomplete="off"
            spellcheck="false" />
          <button type="submit" aria-disabled=${this.busy}>Follow</button>
        </form>
        ${this.renderFailed('relays')}
        ${sources.relays.length === 0 ? html`<p class="card muted">No relay is followed.</p>` : this.#renderRelays(sources.relays)}
        ${renderFacts(sources)}
      </div>
      <div>
        <h2 id="marks">Adult marks</h2>
        <p>People mark GIFs on relays as adult. If somebody marks GIFs wrongly, ignore their marks.</p>
        <form class="inline" @submit=${this.#ignore}>
          <label for="marks-subject">Id of a GIF, or npub of a person</label>
          <input id="marks-subject" name="subject" required maxlength="100" autocomplete="off" spellcheck="false" />
          <button type="submit" aria-disabled=${this.busy}>Ignore marks</button>
        </form>
        ${this.renderFailed('marks')}
        ${sources.marks.length === 0 ? html`<p class="card muted">Nobody has marked GIFs from relays as adult.</p>` : this.#renderMarks(sources.marks)}
      </div>`;
  }

  #renderRelays(relays: readonly Relay[]): TemplateResult {
    return html`<div class="scroll" tabindex="0" role="region" aria-labelledby="relays"><table>
      <thead><tr><th scope="col">Relay</th><th scope="col">State</th><th scope="col">Read up to</th>
        <th scope="col">Events taken</th><th scope="col">Skipped, and why</th>
        <th scope="col">Action</th></tr></thead>
      <tbody>${relays.map((relay) => this.#renderRelay(relay))}</tbody>
    </table></div>`;
  }

  #renderRelay({ url, from, state, error, changedAt, streams, taken, skipped }: Relay): TemplateResult {
    const described = from === 'none' ? 'no longer followed' : `${state}${error === null ? '' : `: ${error}`}`;
    return html`<tr><td class="long">${url}</td>
      <td class="long">${described}<br /><span class="muted moment">since ${momentOf(changedAt)}</span></td>
      <td class="moment">${streams.map((stream) => html`${readUpTo(stream)}<br />`)}</td>
      <td class="number-cell">${count(taken)}</td>
      <td>${skipped.map(({ reason, events }) => html`${reason}: ${count(events)}<br />`)}</td>
      <td>${this.#renderAction(url, from)}</td></tr>`;
  }

  #renderAction(url: string, from: Relay['from']): TemplateResult {
    if (from === 'settings') return html`<span class="muted">set in ZOETROPE_RELAYS</span>`;
    if (from === 'none') {
      return html`<button type="button" class="plain" aria-label=${`Follow ${url}`} aria-disabled=${this.busy}
        @click=${() => this.#followUrl(url)}>Follow</button>`;
    }
    return html`<confirm-button .label=${'Stop following'} .subject=${url} .action=${'Stop following'} .busy=${this.busy}
      .consequence=${'Its GIFs are kept. New GIFs are no longer read from it.'}
      @confirmed=${() => this.#leave(url)}></confirm-button>`;
  }

  #renderMarks(marks: readonly Marked[]): TemplateResult {
    return html`<div class="scroll" tabindex="0" role="region" aria-labelledby="marks"><table>
      <thead><tr><th scope="col">Person or GIF</th><th scope="col">Marked</th><th scope="col">The marks</th>
        <th scope="col">Action</th></tr></thead>
      <tbody>${marks.map(
        ({ subject, gifs, ignored }) => html`<tr><td class="long">${subject}</td>
          <td>${gifs === 0 ? '–' : counted(gifs, 'GIF')}</td><td>${ignored ? 'are ignored' : 'count'}</td>
          <td><button type="button" class="plain" aria-disabled=${this.busy}
            aria-label=${`${ignored ? 'Count' : 'Ignore'} the marks of ${subject}`}
            @click=${() => this.#setIgnored(subject, !ignored)}>${ignored ? 'Count' : 'Ignore'}</button></td></tr>`,
      )}</tbody>
    </table></div>`;
  }

  async #follow(event: SubmitEvent): Promise<void> {
    const form = event.currentTarget as HTMLFormElement;
    const { url } = fieldsOf(event);
    if (await this.#followUrl(url!)) form.reset();
  }

  async #followUrl(url: string): Promise<boolean> {
    let isFollowed = false;
    await this.act('relays', async () => {
      this.#sources.set(await ask('followRelay', { body: { url } }));
      isFollowed = true;
      return `${url} is followed. Its first events are read within a minute.`;
    });
    return isFollowed;
  }

  #leave(url: string): Promise<void> {
    return this.act('relays', async () => {
      this.#sources.set(await ask('leaveRelay', { body: { url } }));
      return `${url} is no longer followed.`;
    });
  }

  #ignore(event: SubmitEvent): Promise<void> {
    return this.#setIgnored(fieldsOf(event)['subject']!, true);
  }

  #setIgnored(subject: string, ignored: boolean): Promise<void> {
    return this.act('marks', async () => {
      this.#sources.set(await ask('ignoreMarks', { body: { subject, ignored } }));
      return `The marks of ${subject} ${ignored ? 'are ignored' : 'count'}. Searches show it within a minute.`;
    });
  }
}

function readUpTo({ stream, head, gaps }: Relay['streams'][number]): string {
  const missing = gaps.length === 0 ? '' : `, without ${counted(gaps.length, 'span')} of time`;
  return `${stream}: ${head === 0 ? 'nothing yet' : momentOf(head * 1_000)}${missing}`;
}

function renderFacts({ files, quotas, follower }: Sources): TemplateResult {
  const found = files.map(
    ({ state, reason, urls }) => `${reason === null ? state : `${state}: ${reason}`} ${count(urls)}`,
  );
  return html`<dl class="card facts">
    <dt>URLs of GIFs</dt><dd>${found.join(', ') || 'none'}</dd>
    <dt>Daily limits</dt>
    <dd>${count(quotas.authorEvents)} events of each kind per author, ${count(quotas.relayEvents)} per relay,
      ${count(quotas.hostFiles)} files per host, ${bytesInWords(quotas.bytes)} of files</dd>
    ${follower === null ? nothing : html`<dt>Followed by</dt><dd>${follower}</dd>`}
  </dl>`;
}

customElements.define('sources-page', SourcesPage);
