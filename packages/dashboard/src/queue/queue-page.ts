import type {
  ModeratedGif,
  ModerationList,
  ModerationQueue,
  ReportOrder,
  ReviewItem,
} from '@zoetrope/contract/account';
import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { ask } from '../api.ts';
import { BASE, go } from '../navigation.ts';
import { Loaded } from '../parts/loaded.ts';
import { Panel } from '../parts/panel.ts';
import { count } from '../words.ts';
import '../moderation/gif-card.ts';
import './client-requests.ts';
import './queue-keys.ts';
import type { GifCard } from '../moderation/gif-card.ts';
import { rich, say } from '../words/operators.ts';
import type { ClientRequests } from './client-requests.ts';
import { DECIDED, type Decision } from './decided.ts';
import { type Entry, isWaiting, merge } from './entries.ts';
import { areKeysOn, type Key, keyOf } from './keys.ts';
import type { QueueKeys } from './queue-keys.ts';
import { renderReason } from './reason-field.ts';

const LISTS: readonly ModerationList[] = ['reported', 'doubtful', 'withheld', 'uploaded', 'hidden'];
const ORDERS: readonly ReportOrder[] = ['oldest', 'most'];
interface Waiting extends ModerationQueue {
  items: ReviewItem[];
}

/** A decision of this page about a GIF, with the recorded action that can be undone. */
interface Settled {
  done: string;
  move: number | null;
}

/** Everything that waits for an operator's decision, as one list that works with single keys. */
class QueuePage extends Panel {
  #list: ModerationList;
  #order: ReportOrder = 'oldest';
  #reason = '';
  /** Id of the entry that keys decide about. If it is empty, keys decide about the first entry that waits. */
  #current = '';
  /** Decisions of this page by entry. */
  #settled = new Map<string, Settled>();
  readonly #queue = new Loaded(this, () => this.#load());
  readonly #handovers = new Loaded(this, () => ask('handovers'));
  #leave = () => {};

  constructor() {
    super();
    const named = new URLSearchParams(location.search).get('list');
    this.#list = LISTS.find((list) => list === named) ?? 'reported';
    this.addEventListener(DECIDED, (event) => void this.#decided((event as CustomEvent<Decision>).detail));
    this.addEventListener('focusin', ({ target }) => this.#follow(target as HTMLElement));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const leaving = new AbortController();
    document.addEventListener('keydown', (event) => this.#press(event), { signal: leaving.signal });
    this.#leave = () => leaving.abort();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#leave();
  }

  override render() {
    return html`<h1>${say('queue')}</h1>
      <p class="row" role="group" aria-label=${say('whatToShow')}>
        ${LISTS.map((list) => this.#renderTab(list))}
      </p>
      <div class="filters queue-bar">
        ${renderReason(this.#reason, (reason) => this.#setReason(reason))}
        ${this.#list === 'reported' ? this.#renderOrder() : nothing}
        <p class="field"><button type="button" class="plain" @click=${this.#showKeys}>${say('keyboard')} <kbd aria-hidden="true">?</kbd></button></p>
      </div>
      ${this.#renderHandovers()} ${this.renderDone()} ${this.renderFailed('queue')}
      <h2 class="visually-hidden">${say(`list_${this.#list}`)}</h2>
      ${this.#queue.render((queue) => this.#renderQueue(queue))}
      <queue-keys></queue-keys>`;
  }

  #renderTab(list: ModerationList): TemplateResult {
    const { value } = this.#queue;
    const waiting = list === 'hidden' ? undefined : value?.[list];
    const isAsked = ({ clientId }: ReviewItem) => !this.#settled.has(`client:${clientId}`);
    const all = waiting === undefined || list !== 'reported' ? waiting : waiting + value!.items.filter(isAsked).length;
    const name = say(`list_${list}`);
    return html`<button type="button" class="plain" aria-pressed=${this.#list === list} @click=${() => this.#choose(list)}>
      ${all === undefined ? name : say('listNumber', { list: name, n: all })}</button>`;
  }

  /** Handovers need more care than one key, so the page of clients has their forms. */
  #renderHandovers(): TemplateResult | typeof nothing {
    const waiting = this.#handovers.value?.handovers.length ?? 0;
    if (waiting === 0) return nothing;
    return html`<p class="card">${rich('handoversWait', {
      n: waiting,
      link: (text) => html`<a href="${BASE}/review/clients">${text}</a>`,
    })}</p>`;
  }

  #renderOrder(): TemplateResult {
    return html`<p class="field"><label for="queue-order">${say('order')}</label>
      <select id="queue-order" @change=${this.#sort}>
        ${ORDERS.map(
          (order) => html`<option value=${order} ?selected=${order === this.#order}>${say(`order_${order}`)}</option>`,
        )}
      </select></p>`;
  }

  #renderQueue({ next }: Waiting): TemplateResult {
    const entries = this.#entries;
    const current = this.#currentOf(entries);
    if (entries.length === 0) return html`<p class="card muted">${say(`none_${this.#list}`)}</p>`;
    return html`<ol class="queue" aria-label=${say(`list_${this.#list}`)}>
        ${repeat(
          entries,
          ({ id }) => id,
          (
            entry,
          ) => html`<li class="entry" tabindex="-1" data-id=${entry.id} aria-current=${entry.id === current ? 'true' : nothing}>
            ${this.#renderEntry(entry)}
          </li>`,
        )}
      </ol>
      ${
        next === ''
          ? nothing
          : html`<p><button type="button" class="plain" aria-disabled=${this.busy} @click=${this.#more}>${say('showMore')}</button></p>`
      }`;
  }

  #renderEntry(entry: Entry): TemplateResult {
    const settled = this.#settled.get(entry.id);
    if (settled !== undefined) return this.#renderSettled(entry, settled);
    if (entry.kind === 'gif') {
      return html`<gif-card .gif=${entry.gif} .reason=${this.#reason} .isInQueue=${true}></gif-card>`;
    }
    return html`<client-requests .items=${entry.items} .reason=${this.#reason}></client-requests>`;
  }

  #renderSettled(entry: Entry, { done, move }: Settled): TemplateResult {
    return html`<p class="card row settled"><a class="grow" href=${BASE + pathOf(entry)}>${nameOf(entry)}</a>
      <span class="done">${done}</span>
      ${
        move === null
          ? nothing
          : html`<button type="button" class="plain" aria-label=${say('actOnTitle', { act: say('undo'), thing: nameOf(entry) })} aria-disabled=${this.busy}
              @click=${() => this.#undo(entry.id)}>${say('undo')}</button>`
      }</p>`;
  }

  /** The entries in order. Settled entries keep their places. */
  get #entries(): Entry[] {
    const { gifs, items, next } = this.#queue.value!;
    const isReported = this.#list === 'reported';
    return merge(gifs, isReported ? items : [], { order: this.#order, hasMore: isReported && next !== '' });
  }

  /** Returns the id of the entry that keys decide about. */
  #currentOf(entries: readonly Entry[]): string | undefined {
    const waiting = entries.find(({ id }) => !this.#settled.has(id));
    return (entries.find(({ id }) => id === this.#current) ?? waiting ?? entries[0])?.id;
  }

  async #load(): Promise<Waiting> {
    const [queue, { items }] = await Promise.all([this.#page(''), ask('review')]);
    return { ...queue, items };
  }

  #page(after: string): Promise<ModerationQueue> {
    return ask('moderation', { query: { list: this.#list, order: this.#order, after } });
  }

  #choose(list: ModerationList): void {
    this.#list = list;
    history.replaceState(null, '', list === 'reported' ? location.pathname : `?list=${list}`);
    this.#restart();
  }

  readonly #sort = (event: Event): void => {
    this.#order = (event.target as HTMLSelectElement).value as ReportOrder;
    this.#restart();
  };

  #restart(): void {
    this.#settled.clear();
    this.#current = '';
    void this.#queue.reload();
  }

  readonly #more = (): Promise<void> =>
    this.act('queue', async () => {
      const queue = this.#queue.value!;
      const more = await this.#page(queue.next);
      const known = new Set(queue.gifs.map(({ id }) => id));
      const gifs = more.gifs.filter(({ id }) => !known.has(id));
      this.#queue.set({ ...queue, ...more, gifs: [...queue.gifs, ...gifs] });
      return say('showingMore', { n: count(gifs.length) });
    });

  #setReason(reason: string): void {
    this.#reason = reason;
    this.requestUpdate();
  }

  readonly #showKeys = (): void => this.querySelector<QueueKeys>('queue-keys')?.show();

  /** Notes a decision, and goes on to the next entry if nothing is left to decide about this one. */
  async #decided(decision: Decision): Promise<void> {
    const queue = this.#queue.value!;
    const id = decision.kind === 'gif' ? decision.gif.id : `client:${decision.clientId}`;
    const following = this.#entries.slice(this.#entries.findIndex((entry) => entry.id === id));
    if (decision.kind === 'gif') this.#noteGif(queue, decision);
    else this.#noteClient(queue, decision);
    this.#current = (this.#settled.has(id) ? following.find((entry) => !this.#settled.has(entry.id))?.id : id) ?? id;
    this.say(decision.done);
    if (this.#current !== id || this.#settled.has(id)) await this.#focus();
  }

  #noteGif(queue: Waiting, { gif, done }: Decision & { kind: 'gif' }): void {
    if (isWaiting(gif, this.#list)) {
      this.#queue.set(withGif(queue, gif));
      return;
    }
    // The list keeps the GIF as it was, so that the entry keeps its place.
    this.#settled.set(gif.id, { done, move: gif.moves[0]?.id ?? null });
    this.#queue.set(withCount(queue, this.#list, -1));
  }

  #noteClient(queue: Waiting, { clientId, items, done }: Decision & { kind: 'client' }): void {
    if (items.length > 0) {
      this.#queue.set({
        ...queue,
        items: queue.items.filter((item) => item.clientId !== clientId || items.some(({ id }) => id === item.id)),
      });
    } else this.#settled.set(`client:${clientId}`, { done, move: null });
  }

  #undo(id: string): Promise<void> {
    return this.act('queue', async () => {
      const { move } = this.#settled.get(id)!;
      const gif = await ask('undoMove', { path: { moveId: String(move) } });
      this.#settled.delete(id);
      this.#queue.set(withCount(withGif(this.#queue.value!, gif), this.#list, 1));
      this.#current = id;
      void this.#focus();
      return say('undone');
    });
  }

  /** Undoes the latest decision about a GIF. */
  #undoLast(): void {
    const last = [...this.#settled].findLast(([, { move }]) => move !== null);
    if (last === undefined) this.say(say('nothingToUndo'));
    else void this.#undo(last[0]);
  }

  #follow(target: HTMLElement): void {
    const id = target.closest<HTMLElement>('.entry')?.dataset['id'];
    if (id === undefined || id === this.#current) return;
    this.#current = id;
    this.requestUpdate();
  }

  async #focus(): Promise<void> {
    await this.updateComplete;
    const entry = this.#element;
    entry?.focus();
    entry?.scrollIntoView({ block: 'nearest' });
  }

  get #element(): HTMLElement | null {
    return this.querySelector('.entry[aria-current]');
  }

  #press(event: KeyboardEvent): void {
    if ((event.target as HTMLElement).id === 'decision-reason' && (event.key === 'Enter' || event.key === 'Escape')) {
      void this.#focus();
      return;
    }
    const key = keyOf(event);
    if (key === null || this.#queue.value === undefined || !(areKeysOn() || key === '?' || key === 'Enter')) return;
    if (key === 'Enter' && !(event.target as HTMLElement).matches('.entry')) return;
    event.preventDefault();
    const act = this.#actOf(key);
    if (act !== undefined) act();
    else this.#decide(key);
  }

  /** Returns the action of a key that does not concern the current entry. */
  #actOf(key: Key): (() => void) | undefined {
    const acts: Partial<Record<Key, () => void>> = {
      j: () => this.#step(1),
      k: () => this.#step(-1),
      u: () => this.#undoLast(),
      r: () => this.querySelector<HTMLElement>('#decision-reason')?.focus(),
      '?': this.#showKeys,
    };
    return acts[key];
  }

  #decide(key: Key): void {
    const entry = this.#entries.find(({ id }) => id === this.#currentOf(this.#entries));
    if (entry === undefined) return;
    if (key === 'Enter') go(pathOf(entry));
    else if (entry.kind === 'gif') this.#element?.querySelector<GifCard>('gif-card')?.press(key);
    else if (key === 'y') void this.#element?.querySelector<ClientRequests>('client-requests')?.approve();
    else if (key === 'n') void this.#element?.querySelector<ClientRequests>('client-requests')?.reject();
  }

  /** Moves to the next or the previous entry. After the last entry, loads more. */
  async #step(by: 1 | -1): Promise<void> {
    const at = this.#entries.findIndex(({ id }) => id === this.#currentOf(this.#entries));
    // The first key press goes to the first entry.
    const isFirst = this.#current === '';
    if (!isFirst && at + by >= this.#entries.length && this.#queue.value!.next !== '') await this.#more();
    const next = this.#entries[isFirst ? at : at + by];
    if (next !== undefined) this.#current = next.id;
    this.requestUpdate();
    await this.#focus();
  }
}

function withGif(queue: Waiting, gif: ModeratedGif): Waiting {
  return { ...queue, gifs: queue.gifs.map((known) => (known.id === gif.id ? gif : known)) };
}

function withCount(queue: Waiting, list: ModerationList, more: number): Waiting {
  return list === 'hidden' ? queue : { ...queue, [list]: queue[list] + more };
}

function nameOf(entry: Entry): string {
  return entry.kind === 'gif' ? entry.gif.title || entry.gif.id.slice(0, 12) : entry.items[0]!.clientName;
}

function pathOf(entry: Entry): string {
  return entry.kind === 'gif' ? `/review/gifs/${entry.id}` : `/review/clients/${entry.items[0]!.clientId}`;
}

customElements.define('queue-page', QueuePage);
