import type { Gif } from '@zoetrope/contract';
import { escapeHtml, renderFrame } from './frame.ts';
import { stillOf } from './still.ts';

/** Reasons for a report, as in the form. */
export const REASONS = {
  illegal: 'It is illegal, or shows somebody without their consent',
  adult: 'It is adult content but not marked as adult',
  copyright: 'It infringes my copyright, or that of somebody I represent',
  other: 'Something else',
} as const;
export type Reason = keyof typeof REASONS;

export const MAX_MESSAGE = 2_000;
export const MAX_CONTACT = 200;

/** Values of the form. */
export interface ReportForm {
  gif: string;
  reason: string;
  message: string;
  contact: string;
}

export interface ReportPage {
  form: ReportForm;
  /** The reported GIF. Null if this service does not show the GIF. */
  shown: Gif | null;
  /** Message that says what is wrong with the values. Empty if the values are valid. */
  problem: string;
  operator: { name: string };
}

/** Returns the form for reporting a GIF. The form needs no script. */
export function renderReport({ form, shown, problem, operator }: ReportPage): string {
  const reasons = Object.entries(REASONS).map(([reason, words]) => {
    const checked = form.reason === reason ? ' checked' : '';
    return `<label class="choice"><input type="radio" name="reason" value="${reason}" required${checked}> ${words}</label>`;
  });
  return page(`<h1>Report a GIF</h1>
<p>Tell the operator, ${escapeHtml(operator.name)}, what is wrong. People will read your report. It is stored with the GIF
and shown to nobody else. Your IP address is not stored.</p>
${problem === '' ? '' : `<p role="alert" id="problem" class="problem">${escapeHtml(problem)}</p>`}
${shown === null ? '' : renderShown(shown)}
<form class="report" action="/report" method="post">
<label for="gif">URL or id of the GIF</label>
<input id="gif" name="gif" required maxlength="2000" spellcheck="false" autocomplete="off" value="${escapeHtml(form.gif)}">
<fieldset>
<legend>What is wrong?</legend>
${reasons.join('\n')}
</fieldset>
<label for="message">Details for the operator</label>
<p id="message-hint" class="hint">For copyright: name the work and say why you can act for its owner.</p>
<textarea id="message" name="message" rows="6" maxlength="${MAX_MESSAGE}" aria-describedby="message-hint">${escapeHtml(form.message)}</textarea>
<label for="contact">Contact, if you want a reply</label>
<input id="contact" name="contact" maxlength="${MAX_CONTACT}" autocomplete="email" value="${escapeHtml(form.contact)}">
<button type="submit">Report</button>
</form>`);
}

export function renderThanks(): string {
  return page(`<h1>Thank you</h1>
<p role="status">Your report was received. The operator will review it.</p>`);
}

function page(main: string): string {
  const body = `<main class="prose">
<p><a href="/">Back to search</a></p>
${main}
</main>`;
  return renderFrame({ title: 'Report a GIF', body });
}

function renderShown(gif: Gif): string {
  const { width, height } = gif.previews.medium;
  const label = escapeHtml(gif.title || 'the GIF');
  return `<p><img class="shown" src="${escapeHtml(stillOf(gif))}" alt="${label}" width="${width}" height="${height}"></p>`;
}
