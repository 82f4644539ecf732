import type { BuildList } from '@zoetrope/contract/account';
import { html, type TemplateResult } from 'lit';
import { rich, say } from '../../words/operators.ts';
import { momentOf } from '../../words.ts';

/** Renders what a hold means, with the button that ends it. */
export function renderHeld(
  { build, at }: NonNullable<BuildList['held']>,
  { busy, release }: { busy: boolean; release: () => void },
): TemplateResult {
  return html`${rich('held', { build: html`<code>${build}</code>`, date: momentOf(at) })}
    <button type="button" aria-disabled=${busy} @click=${release}>${say('release')}</button>`;
}
