import { html, type TemplateResult } from 'lit';

/** The usual reasons for decisions. */
const USUAL = [
  'Adult content',
  'Illegal',
  'Copyright',
  'Violence or hate',
  'Spam',
  'Nothing is wrong with it',
  'The domain is not yours',
  'The pattern is too broad',
];

/** Renders the field with the reason of the next decisions, with the usual ones to choose from. */
export function renderReason(reason: string, change: (reason: string) => void): TemplateResult {
  return html`<p class="field"><label for="decision-reason">Reason for your decisions</label>
    <input id="decision-reason" list="usual-reasons" maxlength="500" autocomplete="off" placeholder="none" .value=${reason}
      @input=${(event: InputEvent) => change((event.target as HTMLInputElement).value.trim())} />
    <datalist id="usual-reasons">${USUAL.map((usual) => html`<option value=${usual}></option>`)}</datalist></p>`;
}
