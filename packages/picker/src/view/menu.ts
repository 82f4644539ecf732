import type { TemplateResult } from 'lit-html';
import type { Motion } from '../settings.ts';
import type { Strings } from '../strings.ts';
import type { Shared } from './shared.ts';

export interface Menu {
  motions: readonly Motion[];
  motion: Motion;
  isTransparent: boolean;
  hasFavourites: boolean;
  /** Whether a file without favourites was chosen. */
  isUnreadable: boolean;
}

export interface MenuEvents {
  move(motion: Motion): void;
  showTransparent(isOn: boolean): void;
  save(): void;
  load(file: File): void;
}

/** Renders the user's choices, below the button that opens them. */
export function renderMenu(
  { html, nothing }: Shared,
  { motions, motion, isTransparent, hasFavourites, isUnreadable }: Menu,
  strings: Strings,
  events: MenuEvents,
): TemplateResult {
  const choose = ({ target }: Event) => events.move((target as HTMLSelectElement).value as Motion);
  const toggle = ({ target }: Event) => events.showTransparent((target as HTMLInputElement).checked);
  const load = ({ target }: Event) => {
    const [file] = (target as HTMLInputElement).files!;
    if (file !== undefined) events.load(file);
  };
  const option = (value: Motion) =>
    html`<option value=${value} ?selected=${value === motion}>${strings[value]}</option>`;
  return html`<div class="menu" id="menu" role="group" aria-label=${strings.settings}>
    <label>${strings.motion}<select @change=${choose}>${motions.map(option)}</select></label>
    <label><input type="checkbox" .checked=${isTransparent} @change=${toggle} />${strings.transparent}</label>
    ${hasFavourites ? html`<button @click=${events.save}>${strings.exportFavourites}</button>` : nothing}
    <label class="file">${strings.importFavourites}<input type="file" accept=".json" @change=${load} /></label>
    ${isUnreadable ? html`<p role="alert">${strings.unreadable}</p>` : nothing}
  </div>`;
}
