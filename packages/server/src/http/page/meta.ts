import { escapeHtml } from './frame.ts';

/**
 * The metadata that other services read to show a link to a page. Names with a colon are those of Open Graph. Source:
 * ogp.me.
 */
export type Meta = readonly (readonly [name: string, value: string | number])[];

/** Returns a page's `meta` elements. */
export function renderMeta(meta: Meta): string {
  return meta
    .map(([name, value]) => {
      const attribute = name.startsWith('og:') ? 'property' : 'name';
      return `<meta ${attribute}="${name}" content="${escapeHtml(String(value))}">`;
    })
    .join('\n');
}
