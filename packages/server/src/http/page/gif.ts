import { noteTags, stillOf, videoOf, withGif } from '@zoetrope/client';
import type { Gif } from '@zoetrope/contract';
import { escapeHtml, renderFrame } from './frame.ts';
import { type Meta, renderMeta } from './meta.ts';
import { renderReportForm } from './report.ts';
import { labelOf, pathOf, renderTile } from './tile.ts';
import { fill, type Texts } from './words/words.ts';

export interface GifPage {
  gif: Gif;
  /** GIFs that look like `gif`. */
  similar: readonly Gif[];
  operator: { name: string; url: string };
  /** The service's public URL, without a slash at the end. */
  publicUrl: string;
  /** Whether search engines are allowed to list the page. */
  isListed: boolean;
  texts: Texts;
}

/** Returns the page of one GIF. The search page shows the article of this page in a dialog. */
export function renderGif(page: GifPage): string {
  const { gif, operator, texts } = page;
  const body = `<main id="main">
${renderArticle(page)}
</main>`;
  return renderFrame({
    title: `${labelOf(gif, texts)} · GIFs from ${operator.name}`,
    here: pathOf(gif),
    head: renderHead(page),
    body,
    texts,
    operator,
    script: '/gif.js',
  });
}

/** Returns the article of a GIF: its picture, facts and actions, and the GIFs that look like it. */
function renderArticle(page: GifPage): string {
  const { gif, similar, operator, publicUrl, texts } = page;
  const { words } = texts;
  const label = escapeHtml(labelOf(gif, texts));
  const tags = [...new Set(gif.tags)].map(
    (tag) => `<li><a class="chip" href="/?q=${encodeURIComponent(tag)}" dir="auto">${escapeHtml(tag)}</a></li>`,
  );
  const more =
    similar.length === 0
      ? ''
      : `<section aria-labelledby="more-like-this">
<h2 id="more-like-this">${words.moreLikeThis}</h2>
<ul class="tiles">
${similar.map((other) => renderTile(other, texts)).join('\n')}
</ul>
</section>`;
  return `<article id="gif" data-id="${gif.id}" data-copied="${words.copied}" data-failed="${words.notCopied}">
<div class="stage">${renderPicture(gif, texts)}</div>
<div class="facts">
<h1><bdi>${label}</bdi></h1>
<p class="actions">
<button type="button" class="primary" data-copy="${escapeHtml(publicUrl + pathOf(gif))}">${words.copyLink}</button>
<button type="button" data-copy="${escapeHtml(noteOf(gif))}">${words.copyForNote}</button>
<button type="button" data-share hidden>${words.share}</button>
</p>
<p class="actions"><span>${words.download}</span> ${renderDownloads(gif)}</p>
${tags.length === 0 ? '' : `<ul class="chips">${tags.join('')}</ul>`}
<p class="hint">${renderFacts(gif, texts, publicUrl)}</p>
<details class="copies"><summary>${words.copyAs}</summary>
${copiesOf(gif, page)
  .map(([what, text]) => renderCopy(what, text, texts))
  .join('\n')}
</details>
${renderSave(gif, texts)}
<details><summary>${words.report}</summary>
${renderReportForm({ gif: gif.id, reason: '', message: '', contact: '' }, texts, { name: operator.name, isInside: true })}
</details>
</div>
${more}
</article>`;
}

function renderPicture(gif: Gif, { words }: Texts): string {
  const { w480 } = gif.previews;
  const still = stillOf(gif, w480);
  const label = gif.title.trim() || gif.tags.join(', ');
  const source =
    w480.animated === null
      ? ''
      : `<source media="(prefers-reduced-motion: no-preference)" type="image/webp" srcset="${escapeHtml(w480.animated)}">`;
  const lqip = gif.lqip ? ` data-lqip="${escapeHtml(gif.lqip)}"` : '';
  const toggle =
    w480.animated === null
      ? ''
      : `<button type="button" data-toggle data-pause="${words.pause}" data-play="${words.play}" hidden>${words.pause}</button>`;
  return `<picture>${source}<img src="${escapeHtml(still)}" alt="${escapeHtml(label)}" width="${w480.width}" height="${w480.height}" style="--width:${w480.width}px" fetchpriority="high"${lqip}></picture>${toggle}`;
}

const MEGABYTE = 1_000_000;

/** Shows only known facts about the file, and its host if another site serves the file. */
function renderFacts({ width, height, bytes, duration, format, url, verified }: Gif, texts: Texts, publicUrl: string) {
  const { words, quantity } = texts;
  const isLarge = bytes !== null && bytes >= MEGABYTE;
  const size = bytes && (isLarge ? quantity(bytes / MEGABYTE, 'megabyte') : quantity(bytes / 1_000, 'kilobyte'));
  const { host } = new URL(url);
  return [
    verified && format === 'webp' ? 'WebP' : 'GIF',
    verified && fill(words.pixels, { width, height }),
    duration && quantity(duration, 'second'),
    size,
    host !== new URL(publicUrl).host && fill(words.fileOn, { host: `<bdi>${escapeHtml(host)}</bdi>` }),
  ]
    .filter(Boolean)
    .map((fact) => `<bdi>${fact}</bdi>`)
    .join(' · ');
}

function renderDownloads(gif: Gif): string {
  const { w480 } = gif.previews;
  const files = [
    [gif.format === 'webp' ? 'WebP' : 'GIF', gif.url],
    [gif.format === 'webp' ? null : 'WebP', w480.animated],
    ['MP4', videoOf(gif)],
  ];
  return files
    .filter(([name, address]) => name && address)
    .map(([name, address]) => `<a class="button" href="${escapeHtml(address!)}" download>${name}</a>`)
    .join(' ');
}

/** Returns the texts that people can copy and paste elsewhere, each with its name. */
function copiesOf(gif: Gif, { publicUrl, texts }: GifPage): [what: string, text: string][] {
  const { words } = texts;
  const label = labelOf(gif, texts);
  const page = publicUrl + pathOf(gif);
  const alt = label.replace(/[[\]\\]/g, '\\$&');
  return [
    [words.gifAddress, gif.url],
    [words.note, noteOf(gif)],
    ['Markdown', `[![${alt}](${gif.url})](${page})`],
    ['HTML', `<a href="${page}"><img src="${escapeHtml(gif.url)}" alt="${escapeHtml(label)}"></a>`],
  ];
}

/** Returns the data for a note with the GIF, as JSON: the URL, and the tag that describes the file (NIP-92). */
function noteOf(gif: Gif): string {
  return JSON.stringify({ content: withGif('', gif), tags: noteTags(gif) });
}

function renderCopy(what: string, text: string, { words }: Texts): string {
  const value = escapeHtml(text);
  const label = fill(words.copyWhat, { what });
  return `<p class="copy"><label><span>${what}</span><input readonly value="${value}" dir="ltr"></label><button type="button" data-copy="${value}" aria-label="${label}">${words.copy}</button></p>`;
}

/**
 * Returns the form for saving the GIF on one's own Blossom server. The script shows it if the browser
 * has a signer (NIP-07). The server checks what it downloads, so the hash of the file must be known.
 */
function renderSave({ sha256, url }: Gif, { words }: Texts): string {
  if (sha256 === null) return '';
  const data = `data-sha256="${sha256}" data-url="${escapeHtml(url)}" data-saved="${words.savedOn}" data-failed="${words.notSaved}"`;
  return `<details class="save" ${data} hidden><summary>${words.saveOnServer}</summary>
<form class="copy"><label><span>${words.serverAddress}</span><input type="url" name="server" required pattern="https://.+" placeholder="https://blossom.example" spellcheck="false" dir="ltr"></label><button type="submit">${words.save}</button></form>
<p class="hint">${words.saveHint}</p>
<p role="status"></p>
</details>`;
}

/**
 * Returns the elements that other services read when they show a link to the page: Open Graph, a card for X, and the
 * URL of the oEmbed description. Sources: ogp.me, oembed.com.
 */
function renderHead({ gif, operator, publicUrl, isListed, texts }: GifPage): string {
  const { w480 } = gif.previews;
  const label = labelOf(gif, texts);
  const page = publicUrl + pathOf(gif);
  const picture = w480.animated ?? w480.still;
  const video = videoOf(gif);
  const meta: Meta = [
    ['description', gif.tags.length === 0 ? label : gif.tags.join(', ')],
    ['og:type', video === null ? 'website' : 'video.other'],
    ['og:site_name', `GIFs from ${operator.name}`],
    ['og:title', label],
    ['og:url', page],
    ['og:image', picture],
    ['og:image:type', w480.animated === null ? 'image/png' : 'image/webp'],
    ['og:image:width', w480.width],
    ['og:image:height', w480.height],
    ['og:image:alt', label],
    ['twitter:card', 'summary_large_image'],
    ['twitter:title', label],
    ['twitter:image', picture],
    ['twitter:image:alt', label],
    ...(video === null ? [] : metaOfVideo(video, gif)),
    ...(isListed ? [] : ([['robots', 'noindex']] as const)),
  ];
  const description = `${publicUrl}/oembed?url=${encodeURIComponent(page)}`;
  return `<link rel="canonical" href="${escapeHtml(page)}">
<link rel="alternate" type="application/json+oembed" href="${escapeHtml(description)}" title="${escapeHtml(label)}">
${renderMeta(meta)}
`;
}

function metaOfVideo(video: string, { width, height }: Gif): Meta {
  return [
    ['og:video', video],
    ...(video.startsWith('https:') ? ([['og:video:secure_url', video]] as const) : []),
    ['og:video:type', 'video/mp4'],
    ['og:video:width', width],
    ['og:video:height', height],
  ];
}

/** The description of a GIF for other services. Source: oembed.com, type `photo`. */
export interface Embed {
  version: '1.0';
  type: 'photo';
  title: string;
  url: string;
  width: number;
  height: number;
  provider_name: string;
  provider_url: string;
  thumbnail_url: string;
  thumbnail_width: number;
  thumbnail_height: number;
}

/** Returns a GIF's description with the largest preview that fits. Services would enlarge a smaller preview. */
export function describeEmbed(
  { gif, operator, publicUrl, texts }: Pick<GifPage, 'gif' | 'operator' | 'publicUrl' | 'texts'>,
  most: { width: number; height: number },
): Embed {
  const { small, medium, w240, w480 } = gif.previews;
  const fits = [w480, medium, w240, small].sort((a, b) => b.width - a.width);
  const shown = fits.find(({ width, height }) => width <= most.width && height <= most.height) ?? small;
  const scale = Math.min(1, most.width / shown.width, most.height / shown.height);
  return {
    version: '1.0',
    type: 'photo',
    title: labelOf(gif, texts),
    url: shown.animated ?? shown.still,
    width: Math.max(1, Math.floor(shown.width * scale)),
    height: Math.max(1, Math.floor(shown.height * scale)),
    provider_name: `GIFs from ${operator.name}`,
    provider_url: publicUrl,
    thumbnail_url: small.still,
    thumbnail_width: small.width,
    thumbnail_height: small.height,
  };
}
