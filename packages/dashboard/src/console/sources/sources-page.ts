import type { Sources } from '@zoetrope/contract/account';
import { html, nothing, type TemplateResult } from 'lit';
import { ask } from '../../api.ts';
import '../../parts/confirm-button.ts';
import { Loaded } from '../../parts/loaded.ts';
import { fieldsOf, Panel } from '../../parts/panel.ts';
import { say } from '../../words/operators.ts';
import { bytesInWords, count, momentOf } from '../../words.ts';
import { relayStateInWords } from './relay-state.ts';
import './members.ts';
import './shared-catalogues.ts';

type Relay = Sources['relays'][number];
type Marked = Sources['marks'][number];

/** The relays that GIFs come from, and the adult marks in their events. */
class SourcesPage extends Panel {
  readonly #sources = new Loaded(this, () => ask('sources'));

  override render() {
    return html`<h1>${say('sources')}</h1>
      ${this.renderDone()} ${this.#sources.render((sources) => this.#renderSources(sources))}`;
  }

  #renderSources(sources: Sources): TemplateResult {
    return html`<div>
        <h2 id="relays">${say('relays')}</h2>
        <form class="inline" @submit=${this.#follow}>
          <label for="relay-url">${say('relayUrl')}</label>
          <input id="relay-url" name="url" required maxlength="2000" placeholder="wss://relay.example" autocomplete="off"
            spellcheck="false" />
          <button type="submit" aria-disabled=${this.busy}>${say('follow')}</button>
        </form>
        ${this.renderFailed('relays')}
        ${sources.relays.length === 0 ? html`<p class="card muted">${say('noRelay')}</p>` : this.#renderRelays(sources.relays)}
        ${renderFacts(sources)}
      </div>
      <shared-catalogues></shared-catalogues>
      <members-section></members-section>
      <div>
        <h2 id="marks">${say('adultMarks')}</h2>
        <p>${say('marksIntro')}</p>
        <form class="inline" @submit=${this.#ignore}>
          <label for="marks-subject">${say('marksSubject')}</label>
          <input id="marks-subject" name="subject" required maxlength="100" autocomplete="off" spellcheck="false" />
          <button type="submit" aria-disabled=${this.busy}>${say('ignoreMarks')}</button>
        </form>
        ${this.renderFailed('marks')}
        ${sources.marks.length === 0 ? html`<p class="card muted">${say('noMarks')}</p>` : this.#renderMarks(sources.marks)}
      </div>`;
  }

  #renderRelays(relays: readonly Relay[]): TemplateResult {
    return html`<div class="scroll" tabindex="0" role="region" aria-labelledby="relays"><table>
      <thead><tr><th scope="col">${say('relay')}</th><th scope="col">${say('stateLabel')}</th><th scope="col">${say('readUpTo')}</th>
        <th scope="col" class="number-cell">${say('eventsTaken')}</th><th scope="col">${say('skipped')}</th>
        <th scope="col">${say('action')}</th></tr></thead>
      <tbody>${relays.map((relay) => this.#renderRelay(relay))}</tbody>
    </table></div>`;
  }

  #renderRelay({ url, from, state, error, changedAt, streams, taken, skipped }: Relay): TemplateResult {
    const described = from === 'none' ? say('notFollowed') : relayStateInWords({ state, error });
    return html`<tr><td class="long">${url}</td>
      <td class="long">${described}<br /><span class="muted moment">${say('sinceDate', { date: momentOf(changedAt) })}</span></td>
      <td class="moment">${streams.map((stream) => html`${readUpTo(stream)}<br />`)}</td>
      <td class="number-cell">${count(taken)}</td>
      <td>${skipped.map(({ reason, events }) => html`${reason}: ${count(events)}<br />`)}</td>
      <td>${this.#renderAction(url, from)}</td></tr>`;
  }

  #renderAction(url: string, from: Relay['from']): TemplateResult {
    if (from === 'settings') return html`<span class="muted">${say('setIn', { variable: 'ZOETROPE_RELAYS' })}</span>`;
    if (from === 'none') {
      return html`<button type="button" class="plain" aria-label=${say('actOn', { act: say('follow'), thing: url })} aria-disabled=${this.busy}
        @click=${() => this.#followUrl(url)}>${say('follow')}</button>`;
    }
    return html`<confirm-button .label=${say('stopFollowing')} .subject=${url} .action=${say('stopFollowing')} .busy=${this.busy}
      .consequence=${say('unfollowing')}
      @confirmed=${() => this.#leave(url)}></confirm-button>`;
  }

  #renderMarks(marks: readonly Marked[]): TemplateResult {
    return html`<div class="scroll" tabindex="0" role="region" aria-labelledby="marks"><table>
      <thead><tr><th scope="col">${say('personOrGif')}</th><th scope="col">${say('marked')}</th><th scope="col">${say('theMarks')}</th>
        <th scope="col">${say('action')}</th></tr></thead>
      <tbody>${marks.map(
        ({ subject, gifs, ignored }) => html`<tr><td class="long">${subject}</td>
          <td>${gifs === 0 ? '–' : say('gifs_n', { n: gifs })}</td><td>${ignored ? say('areIgnored') : say('doCount')}</td>
          <td><button type="button" class="plain" aria-disabled=${this.busy}
            aria-label=${say(ignored ? 'countMarksOf' : 'ignoreMarksOf', { subject })}
            @click=${() => this.#setIgnored(subject, !ignored)}>${ignored ? say('countMarks') : say('ignore')}</button></td></tr>`,
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
      return say('followed', { url });
    });
    return isFollowed;
  }

  #leave(url: string): Promise<void> {
    return this.act('relays', async () => {
      this.#sources.set(await ask('leaveRelay', { body: { url } }));
      return say('unfollowed', { url });
    });
  }

  #ignore(event: SubmitEvent): Promise<void> {
    return this.#setIgnored(fieldsOf(event)['subject']!, true);
  }

  #setIgnored(subject: string, ignored: boolean): Promise<void> {
    return this.act('marks', async () => {
      this.#sources.set(await ask('ignoreMarks', { body: { subject, ignored } }));
      return say(ignored ? 'marksIgnored' : 'marksCount', { subject });
    });
  }
}

function readUpTo({ stream, head, gaps }: Relay['streams'][number]): string {
  const until = head === 0 ? say('nothingYet') : momentOf(head * 1_000);
  return gaps.length === 0 ? say('stream', { stream, until }) : say('streamGaps', { n: gaps.length, stream, until });
}

function renderFacts({ files, quotas, follower }: Sources): TemplateResult {
  const found = files.map(
    ({ state, reason, urls }) => `${reason === null ? state : `${state}: ${reason}`} ${count(urls)}`,
  );
  return html`<dl class="card facts">
    <dt>${say('gifUrls')}</dt><dd>${found.join(say('comma')) || say('none')}</dd>
    <dt>${say('dailyLimits')}</dt>
    <dd>${say('quotas', { author: count(quotas.authorEvents), relay: count(quotas.relayEvents), host: count(quotas.hostFiles), bytes: bytesInWords(quotas.bytes) })}</dd>
    ${follower === null ? nothing : html`<dt>${say('followedBy')}</dt><dd>${follower}</dd>`}
  </dl>`;
}

customElements.define('sources-page', SourcesPage);
