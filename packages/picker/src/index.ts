import { GifPicker } from './picker.ts';

// Two apps on one page may bring it twice.
if (!customElements.get('gif-picker')) customElements.define('gif-picker', GifPicker);

declare global {
  interface HTMLElementTagNameMap {
    'gif-picker': GifPicker;
  }
}

export { type GifPick, GifPicker } from './picker.ts';
export type { Topic } from './topics.ts';
