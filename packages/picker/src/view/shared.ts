import type { html, nothing } from 'lit-html';
import type { icon } from './icons.ts';

/**
 * What the picker's own file passes to `more.ts`. `more.ts` imports nothing from that file, because a page can load
 * that file under a URL with a query string, and an import would then load it again.
 */
export interface Shared {
  html: typeof html;
  nothing: typeof nothing;
  icon: typeof icon;
}
