import { LIMITS } from '@zoetrope/contract';
import { html, nothing, type TemplateResult } from 'lit';
import { fieldsOf } from '../parts/panel.ts';
import { rich, say } from '../words/owners.ts';
import { ClientSection } from './section.ts';
import { SNIPPETS, type SnippetValues, type Way } from './snippets.ts';

/** The result of a test request. */
interface TestResult {
  told: string;
  titles: string[];
}

/** Shows how to call the API with this client's credentials, with a form for a test request. */
class StartSection extends ClientSection {
  static override properties = { ...ClientSection.properties, key: {} };
  /** A newly created key, while it is displayed. */
  declare key: string;
  #way: Way = 'browser';
  #tried: TestResult | null = null;

  override render() {
    const snippet = SNIPPETS[this.#way](this.#known());
    return html`<section class="card" aria-labelledby="start">
      <h2 id="start">${say('callApi')}</h2>
      <p class="ways" role="group" aria-label=${say('kindOfApp')}>${(Object.keys(SNIPPETS) as Way[]).map(
        (
          way,
        ) => html`<button type="button" class="plain" aria-pressed=${way === this.#way} @click=${() => this.#choose(way)}>
          ${say(`way_${way}`)}
        </button>`,
      )}</p>
      <p>${say(`advice_${this.#way}`)}</p>
      <pre tabindex="0" aria-label=${say('exampleOf', { way: say(`way_${this.#way}`) })}><code>${snippet}</code></pre>
      <p><copy-button .text=${snippet} .label=${say('theExample')}></copy-button></p>
      ${this.site.cached ? html`<p class="note">${rich('cachesRemember')}</p>` : nothing}
      ${this.#renderTry()}
    </section>`;
  }

  #renderTry(): TemplateResult {
    return html`<h3>${say('tryNow')}</h3>
      <p>${say('tryIntro')}</p>
      <form class="inline" @submit=${this.#try}>
        <label for="try-key">${say('apiKey')}</label>
        <input id="try-key" name="key" required autocomplete="off" spellcheck="false" .value=${this.key} />
        <label for="try-query">${say('searchFor')}</label>
        <input id="try-query" name="query" required maxlength=${LIMITS.queryMaxLength} value="gm" />
        <button type="submit" aria-disabled=${this.busy}>${say('try')}</button>
      </form>
      <p role="status">${this.#tried?.told ?? ''}</p>
      ${this.#tried?.titles.length ? html`<ol>${this.#tried.titles.map((title) => html`<li>${title}</li>`)}</ol>` : nothing}`;
  }

  #known(): SnippetValues {
    const { apiBase, operator } = this.site;
    const { origins } = this.client;
    const origin = origins.find((own) => !own.origin.includes('*')) ?? origins[0];
    return { apiBase, operator, origin: origin?.origin ?? 'https://app.example', key: this.key || 'YOUR_KEY' };
  }

  #choose(way: Way): void {
    this.#way = way;
    this.requestUpdate();
  }

  #try(event: SubmitEvent): Promise<void> {
    const { key, query } = fieldsOf(event);
    return this.act('try', async () => {
      this.#tried = await tryKey(this.site.apiBase, key!, query!);
      return '';
    });
  }
}

/** Sends a search as a native app would. */
async function tryKey(apiBase: string, key: string, query: string): Promise<TestResult> {
  const address = `${apiBase}/api/v1/search?limit=3&q=${encodeURIComponent(query)}`;
  const response = await fetch(address, { headers: { authorization: `Bearer ${key}` }, credentials: 'omit' }).catch(
    () => null,
  );
  if (response === null) return { told: say('noResponse'), titles: [] };
  const answer = await response.json().catch(() => ({}));
  if (response.ok) {
    const { items, count } = answer as { items: { title: string; url: string }[]; count: number };
    return {
      told: say('found', { n: count, q: query }),
      titles: items.map(({ title, url }) => title || url),
    };
  }
  const { code = '', message = '' } = (answer as { error?: { code?: string; message?: string } }).error ?? {};
  return { told: `${response.status} ${code}: ${message}.`, titles: [] };
}

customElements.define('start-section', StartSection);
