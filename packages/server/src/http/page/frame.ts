import { LIMITS } from '@zoetrope/contract';
import type { FastifyReply } from 'fastify';
import { withBasePath } from '../../base/base-path.ts';
import { MARK } from './mark.ts';
import { LANGUAGES, type Texts } from './words/words.ts';

/**
 * Content security policy. From other hosts, the pages load only images. They connect to other hosts only if somebody
 * saves a GIF on a server of their own.
 */
const POLICY = [
  "default-src 'none'",
  'img-src * data:',
  "style-src 'self' 'unsafe-inline'",
  "script-src 'self'",
  "font-src 'self'",
  "connect-src 'self' https:",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Sends a page that shared caches must not store. @param publicUrl the service's public URL. Links need its path */
export function sendPage(reply: FastifyReply, html: string, publicUrl: string): FastifyReply {
  return sendBytes(reply, Buffer.from(withBasePath(html, publicUrl)));
}

/** Sends a page to which `withBasePath` was applied. */
export function sendBytes(reply: FastifyReply, page: Buffer): FastifyReply {
  return reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', POLICY)
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'no-referrer')
    .header('cache-control', 'private, no-cache')
    .send(page);
}

export interface FrameOptions {
  title: string;
  /** Path and query of the page itself. */
  here: string;
  /** HTML of the body between header and footer. Values in it must already be escaped. */
  body: string;
  /** HTML of further elements of the head. */
  head?: string;
  texts: Texts;
  operator: { name: string; url: string };
  /** The text in the search box. */
  q?: string;
  /** Whether the search box has the focus when the page opens. */
  isSearch?: boolean;
  /** Whether the search box is the largest part of the header until the user types. */
  isHero?: boolean;
  script?: string;
}

/** Returns a page with the parts that all pages have: the head, the header with the search box, and the footer. */
export function renderFrame(page: FrameOptions): string {
  const { title, body, head = '', texts, isHero, script } = page;
  return `<!doctype html>
<html lang="${texts.language}" dir="${texts.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="/zoetrope.css">
<link rel="preload" href="/font.woff2" as="font" type="font/woff2" crossorigin>
<script src="/theme.js"></script>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="manifest" href="/manifest.webmanifest">
${head}${script === undefined ? '' : `<script type="module" src="${script}"></script>\n`}</head>
<body${isHero ? ' class="hero"' : ''}>
${renderHeader(page)}
${body}
${renderFooter(page)}
</body>
</html>
`;
}

function renderHeader({ texts, operator, q = '', isSearch = false }: FrameOptions): string {
  const { words } = texts;
  return `<header class="top">
<a class="skip" href="#main">${words.skip}</a>
<a class="brand" href="/">${MARK}<span>Zoetrope</span></a>
<form role="search" action="/" method="get">
<label for="q" class="visually-hidden">${words.searchGifs}</label>
<div class="box">
<input id="q" name="q" type="search" value="${escapeHtml(q)}" placeholder="${words.searchGifs}" maxlength="${LIMITS.queryMaxLength}" dir="auto" autocomplete="off" enterkeyhint="search"${isSearch ? ' autofocus' : ''}>
<ul id="completions" role="listbox" aria-label="${words.completions}" hidden></ul>
</div>
<button type="submit" class="primary">${words.search}</button>
</form>
<nav aria-label="Zoetrope">${renderAttribution(operator)}<a href="/developers">${words.developers}</a><a href="/dashboard">${words.signIn}</a></nav>
</header>`;
}

function renderFooter({ texts, here }: FrameOptions): string {
  const { words, language } = texts;
  const languages = Object.entries(LANGUAGES).map(([code, name]) => {
    const current = code === language ? ' aria-current="true"' : '';
    return `<li><a href="/language?to=${code}&amp;at=${encodeURIComponent(here)}" lang="${code}" hreflang="${code}"${current}>${name}</a></li>`;
  });
  const themes = [
    ['', words.themeAuto],
    ['light', words.themeLight],
    ['dark', words.themeDark],
  ].map(([value, name]) => `<option value="${value}">${name}</option>`);
  return `<footer>
<nav aria-label="${words.more}"><a href="/privacy">${words.privacy}</a><a href="/status">${words.status}</a><a href="/developers/api">API</a><a href="/report">${words.reportGif}</a></nav>
<details><summary>${words.language}: ${LANGUAGES[language]}</summary><ul>${languages.join('')}</ul></details>
<label data-theme-choice hidden>${words.theme} <select>${themes.join('')}</select></label>
</footer>`;
}

/** Returns the attribution that the specification requires, as a link. */
function renderAttribution({ name, url }: FrameOptions['operator']): string {
  return `<a href="${escapeHtml(url)}" target="_blank" rel="noopener noreferrer">GIFs from ${escapeHtml(name)}</a>`;
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
