import { stillOf } from '@zoetrope/client';
import type { Gif } from '@zoetrope/contract';
import { escapeHtml, renderFrame } from './frame.ts';
import { labelOf, pathOf } from './tile.ts';
import { fill, type Texts } from './words/words.ts';

/** Reasons for a report, each with its text in the form. */
export const REASONS = {
  illegal: 'reportIllegal',
  adult: 'reportAdult',
  copyright: 'reportCopyright',
  other: 'reportOther',
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
  /** Error message about invalid values. Empty if all values are valid. */
  problem: string;
  operator: { name: string; url: string };
  texts: Texts;
}

/** Returns the page for reporting a GIF. The form needs no script. */
export function renderReport({ form, shown, problem, operator, texts }: ReportPage): string {
  const { words } = texts;
  return page(
    `<h1>${words.reportGif}</h1>
${problem === '' ? '' : `<p role="alert" id="problem" class="problem">${escapeHtml(problem)}</p>`}
${shown === null ? '' : renderShown(shown, texts)}
${renderReportForm(form, texts, { name: operator.name, isInside: false })}`,
    { operator, texts },
  );
}

/** Returns the form. @param options.isInside whether the form belongs to a GIF that is shown next to it */
export function renderReportForm(
  { gif, reason, message, contact }: ReportForm,
  { words }: Texts,
  { name, isInside }: { name: string; isInside: boolean },
): string {
  const choices = Object.entries(REASONS).map(([value, word]) => {
    const checked = reason === value ? ' checked' : '';
    return `<label class="choice"><input type="radio" name="reason" value="${value}" required${checked}> ${words[word]}</label>`;
  });
  const value = escapeHtml(gif);
  const which = isInside
    ? `<input type="hidden" name="gif" value="${value}">`
    : `<label for="gif">${words.reportUrl}</label>
<input id="gif" name="gif" required maxlength="2000" spellcheck="false" autocomplete="off" dir="ltr" value="${value}">`;
  return `<form class="report" action="/report" method="post">
<p>${fill(words.reportIntro, { name: escapeHtml(name) })}</p>
${which}
<fieldset>
<legend>${words.reportWhat}</legend>
${choices.join('\n')}
</fieldset>
<label for="message">${words.reportDetails}</label>
<p id="message-hint" class="hint">${words.reportHint}</p>
<textarea id="message" name="message" rows="6" maxlength="${MAX_MESSAGE}" dir="auto" aria-describedby="message-hint">${escapeHtml(message)}</textarea>
<label for="contact">${words.reportContact}</label>
<input id="contact" name="contact" maxlength="${MAX_CONTACT}" autocomplete="email" value="${escapeHtml(contact)}">
<button type="submit" class="primary">${words.report}</button>
</form>`;
}

export function renderThanks({ operator, texts }: Pick<ReportPage, 'operator' | 'texts'>): string {
  const { words } = texts;
  return page(`<h1>${words.thanks}</h1>\n<p role="status">${words.received}</p>`, { operator, texts });
}

function page(main: string, { operator, texts }: Pick<ReportPage, 'operator' | 'texts'>): string {
  const { words } = texts;
  const body = `<main id="main" class="prose">\n${main}\n</main>`;
  return renderFrame({ title: words.reportGif, here: '/report', body, texts, operator });
}

function renderShown(gif: Gif, texts: Texts): string {
  const { medium } = gif.previews;
  const label = escapeHtml(labelOf(gif, texts));
  return `<p><a href="${pathOf(gif)}"><img class="shown" src="${escapeHtml(stillOf(gif, medium))}" alt="${label}" width="${medium.width}" height="${medium.height}"></a></p>`;
}
