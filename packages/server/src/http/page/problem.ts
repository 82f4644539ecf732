import { ERRORS, type ErrorCode } from '@zoetrope/contract';
import { escapeHtml, renderFrame } from './frame.ts';
import type { Texts } from './words/words.ts';

export interface Problem {
  code: ErrorCode;
  /** The message for programs, in English. */
  message: string;
  /** Seconds after which to try again. */
  retryAfter: number | undefined;
  operator: { name: string; url: string };
  texts: Texts;
}

/**
 * Returns the page for people whose request failed, because the page does not exist, because of too many requests, or
 * for any other reason.
 */
export function renderProblem(problem: Problem): string {
  const { operator, texts } = problem;
  const { words } = texts;
  const { title, html } = describe(problem);
  const body = `<main id="main" class="prose">
<h1>${title}</h1>
<p>${html}</p>
<p><a href="/">${words.backToSearch}</a></p>
</main>`;
  return renderFrame({ title, here: '/', body, texts, operator });
}

function describe({ code, message, retryAfter = 1, texts }: Problem): { title: string; html: string } {
  const { words, count } = texts;
  if (code === 'not_found') return { title: words.gone, html: words.goneWhy };
  if (code === 'rate_limited') return { title: words.later, html: count(words.tooManySearches, retryAfter) };
  const title = ERRORS[code].status === 503 ? words.later : words.broken;
  return { title, html: `<span lang="en">${escapeHtml(message)}</span>` };
}
