import { html, nothing } from 'lit-html';
import { icon } from './view/icons.ts';
import type { Shared } from './view/shared.ts';

type More = typeof import('./view/more.ts');

export const SHARED: Shared = { html, nothing, icon };

/** Renders the menu and the details. Undefined until either of them is opened for the first time. */
export let more: More | undefined;

/** Loads `more`, then calls `open`. If the file cannot be loaded, nothing opens, and the next press tries again. */
export function loadMore(open: () => void): void {
  import('./view/more.ts').then(
    (loaded) => {
      more = loaded;
      open();
    },
    () => {},
  );
}
