/** Where the dashboard lives. */
export const BASE = '/dashboard';

const MOVED = 'dashboard:moved';

/** Shows another page of the dashboard without loading it anew. @param path below BASE */
export function go(path: string): void {
  history.pushState(null, '', BASE + path);
  window.dispatchEvent(new Event(MOVED));
}

/** The path below BASE that the address names, without a slash at its end. */
export function currentPath(): string {
  return location.pathname.slice(BASE.length).replace(/\/+$/, '');
}

/** Hears of every move; returns what ends that. */
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

/** Takes clicks on links within the dashboard; new tabs, downloads and other sites stay the browser's. */
function followLink(event: MouseEvent): void {
  const { button, metaKey, ctrlKey, shiftKey, altKey, defaultPrevented, target } = event;
  if (defaultPrevented || button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return;
  const link = target instanceof Element ? target.closest('a') : null;
  if (link === null || link.target !== '' || link.origin !== location.origin) return;
  if (link.pathname !== BASE && !link.pathname.startsWith(`${BASE}/`)) return;
  // A place on this very page.
  if (link.hash !== '' && link.pathname === location.pathname) return;
  event.preventDefault();
  go(link.pathname.slice(BASE.length));
}
