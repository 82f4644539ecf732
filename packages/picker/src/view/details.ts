import { type Gif, stillOf, videoOf } from '@zoetrope/client';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { Strings } from '../strings.ts';
import { icon } from './icons.ts';

/** Maximum length of the user's own description, in characters. */
const LONGEST = 1_000;

export interface Details {
  gif: Gif;
  /** The GIF's title, or a replacement for it. */
  label: string;
  /** The user's own description. */
  alt: string;
  isFavourite: boolean;
  /** Whether the GIF moves. */
  moves: boolean;
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
  { gif, label, alt, isFavourite, moves, strings }: Details,
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
    ${renderLarge(gif, moves)}
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

function renderLarge(gif: Gif, moves: boolean): TemplateResult {
  const preview = gif.previews.w480;
  const video = moves && preview.animated === null ? videoOf(gif) : null;
  if (video !== null) return html`<video src=${video} .muted=${true} loop autoplay playsinline></video>`;
  return html`<img src=${(moves && preview.animated) || stillOf(gif, preview)} alt="" />`;
}
