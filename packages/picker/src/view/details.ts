import type { Gif } from '@zoetrope/client';
import type { TemplateResult } from 'lit-html';
import type { Strings } from '../strings.ts';
import type { Shared } from './shared.ts';

/** Maximum length of the user's own description, in characters. */
const LONGEST = 1_000;

export interface Details {
  gif: Gif;
  /** The GIF's title, or a replacement for it. */
  label: string;
  /** The user's own description. */
  alt: string;
  isFavourite: boolean;
  /** URL of the large picture. */
  picture: string;
  isVideo: boolean;
  strings: Strings;
}

export interface DetailsEvents {
  pick(gif: Gif): void;
  favourite(gif: Gif): void;
  similar(gif: Gif): void;
  /** False if the app saves no GIFs. */
  save: (() => void) | false;
  describe(alt: string): void;
  close(): void;
}

/** Renders a GIF large, above the other GIFs, with all its actions. */
export function renderDetails(
  { html, nothing, icon }: Shared,
  { gif, label, alt, picture, isVideo, isFavourite, strings }: Details,
  events: DetailsEvents,
): TemplateResult {
  const keep = isFavourite ? strings.removeFavourite : strings.addFavourite;
  const describe = ({ target }: Event) => events.describe((target as HTMLInputElement).value.trim());
  const key = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    events.close();
  };
  return html`<div class="details" role="dialog" aria-modal="true" aria-label=${label} @keydown=${key}>
    <button class="clear" aria-label=${strings.close} title=${strings.close} @click=${events.close}>${icon('close')}</button>
    ${isVideo ? html`<video src=${picture} .muted=${true} loop autoplay playsinline></video>` : html`<img src=${picture} alt="" />`}
    <p class="title">${label}</p>
    <label>${strings.description}<input type="text" maxlength=${LONGEST} .value=${alt} @change=${describe} /></label>
    <div class="buttons">
      <button class="retry" @click=${() => events.pick(gif)}>${strings.pick}</button>
      ${events.save ? html`<button class="chip" @click=${events.save}>${strings.save}</button>` : nothing}
      <button class="chip" aria-pressed=${isFavourite} @click=${() => events.favourite(gif)}>${keep}</button>
      <button class="chip" @click=${() => events.similar(gif)}>${strings.similar}</button>
    </div>
  </div>`;
}
