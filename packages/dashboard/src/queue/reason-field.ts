import { html, type TemplateResult } from 'lit';
import { say } from '../words/operators.ts';

/** The usual reasons for decisions. */
const USUAL = ['adult', 'illegal', 'copyright', 'violence', 'spam', 'fine', 'domain', 'pattern'] as const;

/** Renders the field with the reason for the next decisions. It offers the usual reasons to choose from. */
export function renderReason(reason: string, change: (reason: string) => void): TemplateResult {
  return html`<p class="field"><label for="decision-reason">${say('decisionReason')}</label>
    <input id="decision-reason" list="usual-reasons" maxlength="500" autocomplete="off" placeholder=${say('none')} .value=${reason}
      @input=${(event: InputEvent) => change((event.target as HTMLInputElement).value.trim())} />
    <datalist id="usual-reasons">${USUAL.map((usual) => html`<option value=${say(`usual_${usual}`)}></option>`)}</datalist></p>`;
}
