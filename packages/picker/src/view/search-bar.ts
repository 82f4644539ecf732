import { html, nothing, type TemplateResult } from 'lit-html';
import type { Strings } from '../strings.ts';
import type { Topic } from '../topics.ts';
import { icon } from './icons.ts';

/** State of the search field, a combobox with completions. Source: ARIA Authoring Practices, "Combobox". */
export interface Field {
  text: string;
  options: readonly string[];
  /** Index of the completion chosen with the arrow keys, or -1 if none is chosen. */
  option: number;
  /** Whether there is an earlier view. */
  canGoBack: boolean;
  /** The menu of the user's choices, below the button that opens it, or undefined if the menu is closed. */
  menu: TemplateResult | undefined;
}

export interface FieldEvents {
  type(text: string): void;
  key(event: KeyboardEvent): void;
  leave(): void;
  clear(): void;
  choose(term: string): void;
  openMenu(): void;
  back(): void;
}

export function renderSearch(
  { text, options, option, canGoBack, menu }: Field,
  { search, clear, settings, back }: Strings,
  events: FieldEvents,
): TemplateResult {
  const isOpen = options.length > 0;
  return html`<div class="search">
    ${canGoBack ? html`<button class="back" aria-label=${back} title=${back} @click=${events.back}>${icon('back')}</button>` : icon('search')}
    <input
      part="input"
      type="search"
      role="combobox"
      aria-label=${search}
      aria-autocomplete="list"
      aria-expanded=${isOpen}
      aria-controls="suggestions"
      aria-activedescendant=${isOpen && option >= 0 ? `option-${option}` : nothing}
      placeholder=${search}
      autocomplete="off"
      autocapitalize="off"
      spellcheck="false"
      enterkeyhint="search"
      maxlength="500"
      .value=${text}
      @input=${(event: InputEvent) => events.type((event.target as HTMLInputElement).value)}
      @keydown=${events.key}
      @blur=${events.leave}
    />
    ${text === '' ? nothing : html`<button class="clear" aria-label=${clear} title=${clear} @click=${events.clear}>${icon('close')}</button>`}
    <button
      class="settings"
      aria-label=${settings}
      title=${settings}
      aria-expanded=${menu !== undefined}
      aria-controls="menu"
      @click=${events.openMenu}
    >${icon('settings')}</button>
    ${menu}
    <ul class="suggestions" id="suggestions" role="listbox" aria-label=${search} ?hidden=${!isOpen}>
      ${options.map(
        (term, i) =>
          html`<li
            id="option-${i}"
            role="option"
            aria-selected=${i === option}
            @pointerdown=${keepFocus}
            @click=${() => events.choose(term)}
          >
            ${term}
          </li>`,
      )}
    </ul>
  </div>`;
}

/**
 * On a phone, focuses the back button, because focusing the search field would open the keyboard. @returns whether the
 * button was focused
 */
export function focusBack(root: ParentNode): boolean {
  const back = matchMedia('(pointer: coarse)').matches ? root.querySelector<HTMLElement>('.back') : null;
  back?.focus();
  return back !== null;
}

/** Keeps the focus in the field when a completion is clicked. */
function keepFocus(event: Event): void {
  event.preventDefault();
}

type ShelfName = 'recent' | 'favourites';

export interface TopicBar {
  /** Whether the service has a list of GIFs to start with. */
  isTrending: boolean;
  shelves: readonly ShelfName[];
  topics: readonly Topic[];
  /** The current view: the GIFs to start with, a shelf or a search. */
  kind: string;
  /** The query of the topic that the user has chosen. */
  query: string | undefined;
  /** Whether only transparent GIFs are shown. */
  isTransparent: boolean;
  /** The GIF to which the results are similar. */
  like: string | undefined;
}

export function renderTopics(
  { isTrending, shelves, topics, kind, query, like, isTransparent }: TopicBar,
  strings: Strings,
  events: {
    trending(): void;
    shelf(name: ShelfName): void;
    topic(topic: Topic): void;
    back(): void;
    showAll(): void;
  },
): TemplateResult {
  const chip = (label: unknown, isPressed: boolean, choose: () => void) =>
    html`<button class="chip" aria-pressed=${isPressed} @click=${choose}>${label}</button>`;
  return html`<div class="topics" part="topics" role="group" aria-label=${strings.topics}>
    ${like === undefined ? nothing : chip(html`<span>${like}</span>${icon('close')}`, true, events.back)}
    ${isTransparent ? chip(html`<span>${strings.transparent}</span>${icon('close')}`, true, events.showAll) : nothing}
    ${isTrending ? chip(strings.trending, kind === 'opening', events.trending) : nothing}
    ${shelves.map((name) => chip(strings[name], kind === name, () => events.shelf(name)))}
    ${topics.map((topic) => chip(renderTopic(topic), topic.query === query, () => events.topic(topic)))}
  </div>`;
}

/** Pictures outside the visible part of the bar are not loaded. */
function renderTopic({ label, picture }: Topic): unknown {
  if (picture === undefined) return label;
  return html`<img src=${picture} alt="" width="24" height="24" loading="lazy" fetchpriority="low" />${label}`;
}
