import type { GifPick } from './pick.ts';
import { GifPicker } from './picker.ts';

// Servers have no custom elements, and a page can load this module twice.
const elements = globalThis.customElements as CustomElementRegistry | undefined;
if (!elements?.get('gif-picker')) elements?.define('gif-picker', GifPicker);

declare global {
  interface HTMLElementTagNameMap {
    'gif-picker': GifPicker;
  }
  interface GlobalEventHandlersEventMap {
    'gif-pick': CustomEvent<GifPick>;
    'gif-close': CustomEvent<null>;
  }
}

export type { GifPickerAttributes } from './attributes.ts';
export type { GifPick } from './pick.ts';
export { GifPicker } from './picker.ts';
export type { Topic } from './topics.ts';
