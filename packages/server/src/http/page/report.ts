import type { Gif } from '@zoetrope/contract';
import { escapeHtml, renderFrame } from './frame.ts';

/** Why a GIF is reported, in the words of the form. */
export const REASONS = {
  illegal: 'It is against the law, or it shows somebody who did not agree',
  adult: 'It is for adults and not marked so',
  copyright: 'It is mine, or of somebody I speak for, and may not be shown',
  other: 'Something else',
} as const;
export type Reason = keyof typeof REASONS;

export const MAX_MESSAGE = 2_000;
export const MAX_CONTACT = 200;

/** What was filled in. */
export interface ReportForm {
  gif: string;
  reason: string;
  message: string;
  contact: string;
}

export interface ReportPage {
  form: ReportForm;
  /** The GIF that is meant, if it is shown here. */
  shown: Gif | null;
  /** What is wrong with what was filled in; empty when nothing is. */
  problem: string;
  operator: { name: string };
}

/** The form by which anybody reports a GIF. It needs no script. */
export function renderReport({ form, shown, problem, operator }: ReportPage): string {
  const reasons = Object.entries(REASONS).map(([reason, words]) => {
    const checked = form.reason === reason ? ' checked' : '';
    return `<label class="choice"><input type="radio" name="reason" value="${reason}" required${checked}> ${words}</label>`;
  });
  return page(`<h1>Report a GIF</h1>
<p>Tell the operator, ${escapeHtml(operator.name)}, what is wrong. What you write here is read by people, kept with the GIF,
and shown to nobody else. Your address is not kept.</p>
${problem === '' ? '' : `<p role="alert" id="problem" class="problem">${escapeHtml(problem)}</p>`}
${shown === null ? '' : renderShown(shown)}
<form class="report" action="/report" method="post">
<label for="gif">Which GIF: its address or its id</label>
<input id="gif" name="gif" required maxlength="2000" spellcheck="false" autocomplete="off" value="${escapeHtml(form.gif)}">
<fieldset>
<legend>What is wrong</legend>
${reasons.join('\n')}
</fieldset>
<label for="message">What the operator should know</label>
<p id="message-hint" class="hint">For copyright: what the work is, and why you may speak for it.</p>
<textarea id="message" name="message" rows="6" maxlength="${MAX_MESSAGE}" aria-describedby="message-hint">${escapeHtml(form.message)}</textarea>
<label for="contact">How to answer you, if you want an answer</label>
<input id="contact" name="contact" maxlength="${MAX_CONTACT}" autocomplete="email" value="${escapeHtml(form.contact)}">
<button type="submit">Report</button>
</form>`);
}

export function renderThanks(): string {
  return page(`<h1>Thank you</h1>
<p role="status">The report was taken. The operator looks at it.</p>`);
}

function page(main: string): string {
  const body = `<main class="prose">
<p><a href="/">Back to the search</a></p>
${main}
</main>`;
  return renderFrame({ title: 'Report a GIF', body });
}

function renderShown({ title, previews }: Gif): string {
  const { still, width, height } = previews.medium;
  const label = escapeHtml(title || 'the GIF');
  return `<p><img class="shown" src="${escapeHtml(still)}" alt="${label}" width="${width}" height="${height}"></p>`;
}
