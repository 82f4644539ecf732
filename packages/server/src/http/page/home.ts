import { type Gif, LIMITS } from '@zoetrope/contract';
import { escapeHtml, renderFrame } from './frame.ts';
import { stillOf } from './still.ts';

export interface HomePage {
  /** The query as it was typed. */
  q: string;
  /** The query that was searched instead, if words of the query are unknown. */
  corrected: string | undefined;
  /** The GIFs of this page, or popular ones if nothing was found. */
  items: Gif[];
  /** Length of the whole ranked list. */
  count: number;
  /** Position of the next page in the ranked list. Null on the last page. */
  next: number | null;
  /** Other searches, if nothing was found. */
  offers: readonly string[];
  /** Number of GIFs in the catalogue while more are being added, otherwise null. */
  growing: number | null;
  /** Reason why nothing was searched. Empty if there is no problem. */
  problem: string;
  operator: { name: string; url: string };
}

/** Suggested topics. */
const TOPICS = [
  'gm',
  'gn',
  'zap',
  'bitcoin',
  'coffee',
  'lfg',
  'wow',
  'lol',
  'yes',
  'no',
  'applause',
  'love',
  'fire',
  'cat',
];

/** Returns the search page. The page works without a script. `home.js` adds search during typing. */
export function renderHome(page: HomePage): string {
  const { q, operator } = page;
  const body = `<header>
<form role="search" action="/" method="get">
<label for="q" class="visually-hidden">Search GIFs</label>
<input id="q" name="q" type="search" value="${escapeHtml(q)}" placeholder="Search GIFs" maxlength="${LIMITS.queryMaxLength}" autocomplete="off" enterkeyhint="search" autofocus>
<button type="submit">Search</button>
</form>
<nav aria-label="Topics">${TOPICS.map((topic) => renderTopic(topic, q)).join('')}</nav>
<p class="attribution">${renderAttribution(operator)}</p>
<p class="attribution"><a href="/developers">For developers</a></p>
</header>
<main id="results">
<p id="status" role="status"${page.growing === null ? '' : ` data-growing="${page.growing}"`}>${renderStatus(page)}</p>
${renderOffers(page.offers)}
<ul id="tiles">
${page.items.map(renderTile).join('\n')}
</ul>
${page.next === null ? '' : `<p class="more"><a id="more" href="/?q=${encodeURIComponent(q)}&amp;offset=${page.next}">More</a></p>`}
</main>`;
  return renderFrame({ title: `${q ? `${q} · ` : ''}GIFs from ${operator.name}`, body, script: '/home.js' });
}

function renderAttribution({ name, url }: HomePage['operator']): string {
  return `<a href="${escapeHtml(url)}" target="_blank" rel="noopener noreferrer">GIFs from ${escapeHtml(name)}</a>`;
}

function renderTopic(topic: string, q: string): string {
  const current = topic === q ? ' aria-current="true"' : '';
  return `<a href="/?q=${topic}"${current}>${topic}</a>`;
}

function renderOffers(offers: readonly string[]): string {
  if (offers.length === 0) return '';
  const links = offers.map((offer) => `<a href="/?q=${encodeURIComponent(offer)}">${escapeHtml(offer)}</a>`);
  return `<nav class="offers" aria-label="Similar searches">${links.join('')}</nav>`;
}

function renderStatus({ q, corrected, count, items, growing, problem }: HomePage): string {
  if (problem !== '') return problem;
  if (growing === 0) return 'The first GIFs are being drawn. This page shows them as soon as they are there.';
  const more = growing === null ? '' : ` ${growing} GIFs so far, and more are being added.`;
  if (q === '')
    return count === 0
      ? 'The catalogue is empty. Run zoetrope add to add GIFs.'
      : `Popular here${more === '' ? '' : `.${more}`}`;
  if (count === 0) {
    const popular = items.length === 0 ? '' : ' These GIFs are popular here.';
    return `Nothing found for “${escapeHtml(q)}”. Try another word or one of the topics.${more}${popular}`;
  }
  const shown = `${count}${count === LIMITS.rankedListMax ? ' best' : ''} GIF${count === 1 ? '' : 's'}`;
  if (corrected === undefined) return `${shown} for “${escapeHtml(q)}”`;
  return `No GIF has “${escapeHtml(q)}”. ${shown} for “${escapeHtml(corrected)}”`;
}

/**
 * Returns the tile of a GIF. A tile has its final size before its picture loads, so nothing shifts. Without a script, the
 * tile shows the animated preview, or the still under reduced motion. With a script, it shows the still until the script
 * allows motion, and the lqip until the still has loaded. On a slow line, the script loads the small still first. The MP4
 * is not used, because it has no transparency.
 */
function renderTile(gif: Gif): string {
  const { small, medium, w480 } = gif.previews;
  const still = stillOf(gif);
  const label = escapeHtml(gif.title || gif.tags.slice(0, 5).join(', ') || 'untitled GIF');
  const moving = medium.animated ?? w480.animated;
  const source = moving
    ? `<source media="(scripting: none) and (prefers-reduced-motion: no-preference)" type="image/webp" srcset="${escapeHtml(moving)}">`
    : '';
  const lqip = gif.lqip ? ` data-lqip="${escapeHtml(gif.lqip)}"` : '';
  const smaller = still === small.still || still === gif.lqip ? '' : ` data-small="${escapeHtml(small.still)}"`;
  const ratio = (medium.width / medium.height).toFixed(4);
  return (
    `<li style="--ratio:${ratio}"><a href="${escapeHtml(gif.url)}" target="_blank" rel="noopener noreferrer" title="${label}">` +
    `<picture>${source}<img src="${escapeHtml(still)}" alt="${label}" width="${medium.width}" height="${medium.height}"` +
    ` loading="lazy" decoding="async" fetchpriority="low"${lqip}${smaller}></picture></a>` +
    `<a class="report" href="/report?gif=${encodeURIComponent(gif.id)}">Report<span class="visually-hidden"> ${label}</span></a></li>`
  );
}
