import { escapeHtml, renderFrame } from '../page/frame.ts';
import { textsOf } from '../page/words/words.ts';

/** The pages for developers, in the order of the menu. */
const MENU = [
  { path: '/developers', title: 'Guide' },
  { path: '/developers/picker', title: 'Picker' },
  { path: '/developers/faces', title: 'Other APIs' },
  { path: '/developers/nostr', title: 'Nostr' },
  { path: '/developers/mcp', title: 'Assistants' },
  { path: '/developers/comparison', title: 'Comparison' },
  { path: '/developers/api', title: 'API' },
  { path: '/developers/quality', title: 'Quality' },
  { path: '/developers/speed', title: 'Speed' },
  { path: '/status', title: 'Status' },
  { path: '/privacy', title: 'Privacy' },
] as const;

export interface SitePage {
  path: string;
  title: string;
  operator: { name: string; url: string };
  /** HTML of the main part. Values in it must already be escaped. */
  main: string;
  sections?: readonly { id: string; title: string }[];
}

/** Returns a page for developers. These pages are written in English. */
export function renderSite({ path, title, operator, main, sections = [] }: SitePage): string {
  const menu = MENU.map((page) => {
    const current = page.path === path ? ' aria-current="page"' : '';
    return `<a href="${page.path}"${current}>${page.title}</a>`;
  });
  const contents = sections.map(({ id, title }) => `<li><a href="#${id}">${escapeHtml(title)}</a></li>`);
  const aside =
    contents.length < 3
      ? ''
      : `<nav class="contents" aria-labelledby="contents"><p id="contents" class="hint">On this page</p><ul>${contents.join('')}</ul></nav>`;
  const body = `<nav class="chips tabs" aria-label="Pages">${menu.join('')}</nav>
<div class="site">${aside}<main id="main">
${main}
</main></div>`;
  return renderFrame({
    title: `${title} · GIFs from ${operator.name}`,
    here: path,
    body,
    texts: textsOf('en'),
    operator,
    script: '/site.js',
  });
}
