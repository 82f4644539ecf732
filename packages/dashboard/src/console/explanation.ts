import type { GifExplanation } from '@zoetrope/contract/account';
import { html, nothing, type TemplateResult } from 'lit';
import { rich, say } from '../words/operators.ts';
import { hindrancesOf } from './gif-words.ts';

/** Explains why a GIF is or is not shown. */
export function renderExplanation({ gifs, blocked, refusals, relay }: GifExplanation): TemplateResult {
  const isUnknown = gifs.length === 0 && refusals.length === 0 && relay === null && !blocked;
  return html`<section class="card" aria-labelledby="why">
    <h3 id="why">${say('whyShown')}</h3>
    ${gifs.map((gif) => {
      const hindrances = hindrancesOf(gif);
      if (hindrances.length === 0) {
        return html`<p>${rich('isShown', { gif: gif.title || gif.id })}</p>`;
      }
      return html`<p>${rich('isNotShown', { gif: gif.title || gif.id, reasons: hindrances.join('; ') })}</p>`;
    })}
    ${blocked ? html`<p>${say('hashBlocked')}</p>` : nothing}
    ${refusals.map(
      ({ key, message }) =>
        html`<p>${rich('wasRefused', { reason: message, key: html`<span class="muted long">(${key})</span>` })}</p>`,
    )}
    ${relay === null ? nothing : html`<p>${say('relayNamed', { state: [relay.state, relay.reason].filter(Boolean).join(say('comma')) })}</p>`}
    ${isUnknown ? html`<p>${say('nothingKnown')}</p>` : nothing}
  </section>`;
}
