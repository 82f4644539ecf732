import { ACCOUNT_BASE } from '@zoetrope/contract/account';

/**
 * The path of the service's public URL, which the service writes into the page. It is empty if no proxy adds a path.
 */
const PATH: string = document.documentElement.dataset['base'] ?? '';
/** The dashboard's base path. */
export const BASE: string = `${PATH}/dashboard`;
/** The base path of the dashboard's API. */
export const API: string = PATH + ACCOUNT_BASE;

const MOVED = 'dashboard:moved';

/** Opens another page of the dashboard without reloading. @param path below BASE */
export function go(path: string): void {
  history.pushState(null, '', BASE + path);
  window.dispatchEvent(new Event(MOVED));
}

/** Returns the current path below BASE, without a trailing slash. */
export function currentPath(): string {
  return location.pathname.slice(BASE.length).replace(/\/+$/, '');
}

/** Calls `moved` after every navigation. Returns a function that stops the calls. */
export function onMove(moved: () => void): () => void {
  const follow = (event: MouseEvent) => followLink(event);
  window.addEventListener('popstate', moved);
  window.addEventListener(MOVED, moved);
  document.addEventListener('click', follow);
  return () => {
    window.removeEventListener('popstate', moved);
    window.removeEventListener(MOVED, moved);
    document.removeEventListener('click', follow);
  };
}

/**
 * Handles clicks on links within the dashboard. The browser itself handles new tabs, downloads and links to other
 * sites.
 */
function followLink(event: MouseEvent): void {
  const { button, metaKey, ctrlKey, shiftKey, altKey, defaultPrevented, target } = event;
  if (defaultPrevented || button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return;
  const link = target instanceof Element ? target.closest('a') : null;
  if (link === null || link.target !== '' || link.origin !== location.origin) return;
  if (link.pathname !== BASE && !link.pathname.startsWith(`${BASE}/`)) return;
  // The link leads to an anchor on the same page.
  if (link.hash !== '' && link.pathname === location.pathname) return;
  event.preventDefault();
  go(link.pathname.slice(BASE.length));
}
