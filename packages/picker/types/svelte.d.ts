import type { HTMLAttributes } from 'svelte/elements';
import type { GifPick, GifPicker, GifPickerAttributes } from '../dist/index.js';

export * from '../dist/index.js';

type Pick = (event: CustomEvent<GifPick>) => void;
type Close = (event: CustomEvent<null>) => void;

interface Attributes extends Omit<HTMLAttributes<GifPicker>, 'lang'>, GifPickerAttributes {
  'ongif-pick'?: Pick | undefined;
  'ongif-close'?: Close | undefined;
  /** Svelte 4 syntax. */
  'on:gif-pick'?: Pick | undefined;
  'on:gif-close'?: Close | undefined;
}

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    'gif-picker': Attributes;
  }
}
