import type { GifExplanation } from '@zoetrope/contract/account';
import { html, nothing, type TemplateResult } from 'lit';
import { hindrancesOf } from './gif-words.ts';

/** Says why a GIF is shown or not. */
export function renderExplanation({ gifs, blocked, refusals, relay }: GifExplanation): TemplateResult {
  const isUnknown = gifs.length === 0 && refusals.length === 0 && relay === null && !blocked;
  return html`<section class="card" aria-labelledby="why">
    <h3 id="why">Why is this GIF shown or not?</h3>
    ${gifs.map((gif) => {
      const hindrances = hindrancesOf(gif);
      if (hindrances.length === 0) {
        return html`<p><strong>${gif.title || gif.id}</strong> is shown. A new GIF is found as soon as the next build is ready.</p>`;
      }
      return html`<p><strong>${gif.title || gif.id}</strong> is not shown: ${hindrances.join('; ')}.</p>`;
    })}
    ${blocked ? html`<p>Files with this hash are on the block list, so they are refused.</p>` : nothing}
    ${refusals.map(
      ({ key, message }) =>
        html`<p>It was refused when it was added: ${message} <span class="muted long">(${key})</span></p>`,
    )}
    ${relay === null ? nothing : html`<p>A relay named this URL. Its state: ${relay.state}${relay.reason === '' ? '' : `, ${relay.reason}`}.</p>`}
    ${isUnknown ? html`<p>Nothing is known about it. It was never added, or it has another id.</p>` : nothing}
  </section>`;
}
