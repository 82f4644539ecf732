import type { html, nothing } from 'lit-html';
import type { icon } from './icons.ts';

/**
 * What `more.ts` gets from the picker's own file. It imports nothing from there, because a page can load that file under
 * an address with a query string, and would then load it twice.
 */
export interface Shared {
  html: typeof html;
  nothing: typeof nothing;
  icon: typeof icon;
}
