import type { HTMLAttributes, ReservedProps } from 'vue';
import type { GifPick, GifPickerAttributes } from '../dist/index.js';

export * from '../dist/index.js';

interface Props extends HTMLAttributes, GifPickerAttributes {
  onGifPick?: ((event: CustomEvent<GifPick>) => void) | undefined;
  onGifClose?: ((event: CustomEvent<null>) => void) | undefined;
}

declare module 'vue' {
  interface GlobalComponents {
    'gif-picker': new () => { $props: Props };
  }
}

declare module 'vue/jsx-runtime' {
  namespace JSX {
    interface IntrinsicElements {
      'gif-picker': Props & ReservedProps;
    }
  }
}
