import { type Gif, LIMITS } from '@zoetrope/contract';
import { escapeHtml, renderFrame } from './frame.ts';
import { EMPTY } from './mark.ts';
import { type Meta, renderMeta } from './meta.ts';
import { renderTile } from './tile.ts';
import { fill, type Texts } from './words/words.ts';

/** The content that a new service has so far. */
export interface Progress {
  /** Number of GIFs in the catalogue. */
  documents: number;
  /** Whether GIFs are still being added. */
  isGrowing: boolean;
  /** Whether queries in languages other than English are understood. */
  hasLanguages: boolean;
}

export interface HomePage {
  /** The query as it was typed. */
  q: string;
  /** The query that was searched instead, if words of the query are unknown. */
  corrected: string | undefined;
  /** The GIFs of this page, or popular GIFs if nothing was found. */
  items: Gif[];
  /** Popular GIFs to show below a short list. */
  others: Gif[];
  /** Length of the whole ranked list. */
  count: number;
  /** Position of the next page in the ranked list. Null on the last page. */
  next: number | null;
  /** Other searches, if nothing was found. */
  offers: readonly string[];
  progress: Progress;
  /** Reason why nothing was searched. Empty if there is no problem. */
  problem: string;
  /** Searches that the page suggests. The page shows the first few. */
  topics: readonly string[];
  operator: { name: string; url: string };
  /** The service's public URL, without a slash at the end. */
  publicUrl: string;
  texts: Texts;
}

/** Number of topics that the page suggests. */
const TOPICS = 14;

/** Number of tiles that the smallest screens show at first. */
const FIRST = 6;

/** Returns the search page. The page works without a script. `home.js` adds search during typing. */
export function renderHome(page: HomePage): string {
  const { q, operator, texts } = page;
  const { words } = texts;
  const body = `<nav id="topics" class="chips" aria-label="${words.topics}">${page.topics
    .slice(0, TOPICS)
    .map((topic) => renderTopic(topic, q))
    .join('')}</nav>
<main id="main">
<h1 class="visually-hidden">${words.searchGifs}</h1>
<div id="results" data-unavailable="${words.unavailable}" data-offline="${words.offline}" data-earlier="${words.earlier}">
${isMissing(page) ? EMPTY : ''}
<p id="status" role="status"${isImportant(page) ? ' class="important"' : ''}${renderProgress(page.progress)}>${renderStatus(page)}</p>
${isMissing(page) ? `<p class="hint">${page.progress.hasLanguages ? words.nothingHint : words.learning}</p>` : ''}
${renderOffers(page)}
${isMissing(page) && page.items.length > 0 ? `<h2 class="popular">${words.popular}</h2>` : ''}
<ul id="tiles" class="tiles">
${page.items.map((gif, n) => renderTile(gif, texts, n < FIRST)).join('\n')}
</ul>
${page.next === null ? '' : `<p class="more"><a id="more" href="/?q=${encodeURIComponent(q)}&amp;offset=${page.next}">${words.more}</a></p>`}
${renderOthers(page)}
</div>
<div id="card" data-copied="${words.copied}" data-failed="${words.notCopied}" hidden>
<p class="title" dir="auto"></p>
<button type="button">${words.copyAddress}</button>
<button type="button">${words.moreLikeThis}</button>
</div>
<dialog id="viewer" aria-label="GIF">
<div class="bar">
<button type="button" data-step="-1" aria-label="${words.previous}" title="${words.previous}"><span class="arrow" aria-hidden="true">←</span></button>
<button type="button" data-step="1" aria-label="${words.next}" title="${words.next}"><span class="arrow" aria-hidden="true">→</span></button>
<button type="button" data-close aria-label="${words.close}" title="${words.close}"><span aria-hidden="true">✕</span></button>
</div>
<div class="place"></div>
</dialog>
</main>`;
  return renderFrame({
    head: renderHead(page),
    isHero: q === '',
    title: `${q ? `${q} · ` : ''}GIFs from ${operator.name}`,
    here: q === '' ? '/' : `/?q=${encodeURIComponent(q)}`,
    body,
    texts,
    operator,
    q,
    isSearch: true,
    script: '/home.js',
  });
}

function renderHead({ q, items, operator, publicUrl }: HomePage): string {
  const preview = items[0]?.previews.w480;
  const name = `GIFs from ${operator.name}`;
  const meta: Meta = [
    ['og:type', 'website'],
    ['og:site_name', name],
    ['og:title', q === '' ? name : `${q} · ${name}`],
    ['og:url', `${publicUrl}/${q === '' ? '' : `?q=${encodeURIComponent(q)}`}`],
    ...(preview === undefined ? [] : ([['og:image', preview.animated ?? preview.still]] as const)),
  ];
  return `${renderMeta(meta)}\n`;
}

function renderTopic(topic: string, q: string): string {
  const current = topic === q ? ' aria-current="true"' : '';
  return `<a class="chip" href="/?q=${encodeURIComponent(topic)}" dir="auto"${current}>${escapeHtml(topic)}</a>`;
}

function renderOffers({ offers, texts }: HomePage): string {
  if (offers.length === 0) return '';
  const links = offers.map(
    (offer) => `<a class="chip" href="/?q=${encodeURIComponent(offer)}" dir="auto">${escapeHtml(offer)}</a>`,
  );
  return `<nav class="chips" aria-label="${texts.words.similarSearches}">${links.join('')}</nav>`;
}

function renderOthers({ others, texts }: HomePage): string {
  if (others.length === 0) return '';
  const tiles = others.map((gif) => renderTile(gif, texts, false)).join('\n');
  return `<h2 class="popular">${texts.words.popular}</h2>
<ul class="tiles" aria-label="${texts.words.popular}">
${tiles}
</ul>`;
}

function isMissing({ q, count, problem }: HomePage): boolean {
  return q !== '' && count === 0 && problem === '';
}

function isImportant(page: HomePage): boolean {
  return isMissing(page) || page.problem !== '';
}

/**
 * While the service is incomplete, passes the state of the page to the script, so that the script reloads the page
 * after a change.
 */
function renderProgress({ documents, isGrowing, hasLanguages }: Progress): string {
  return isGrowing || !hasLanguages ? ` data-progress="${documents} ${hasLanguages}"` : '';
}

function renderStatus({ progress, problem, texts, ...page }: HomePage): string {
  const { words } = texts;
  if (problem !== '') return escapeHtml(problem);
  const { documents, isGrowing } = progress;
  if (isGrowing && documents === 0) return words.drawing;
  const status = renderCount({ texts, ...page });
  return isGrowing ? `${status}<br>${texts.count(words.growing, documents)}` : status;
}

/** Returns a text that describes the shown list, with its length. */
function renderCount({
  q: asked,
  corrected,
  count,
  texts,
}: Pick<HomePage, 'q' | 'corrected' | 'count' | 'texts'>): string {
  const { words } = texts;
  if (asked === '') return count === 0 ? words.emptyCatalogue : words.popular;
  const q = `<bdi>${escapeHtml(asked)}</bdi>`;
  if (count === 0) return fill(words.nothing, { q });
  const found = count === LIMITS.rankedListMax ? words.best : words.found;
  if (corrected === undefined) return texts.count(found, count, { q });
  const other = texts.count(found, count, { q: `<bdi>${escapeHtml(corrected)}</bdi>` });
  return `${fill(words.unknown, { q })} ${other}`;
}
