import { createSession, type Gif, type SessionState } from '@zoetrope/client';
import { gifs } from './gifs.ts';

const OPENING = 'gm';

const panel = document.querySelector<HTMLElement>('#panel')!;
const search = panel.querySelector('input')!;
const list = panel.querySelector('ul')!;
const status = panel.querySelector('[role=status]')!;
const more = panel.querySelector<HTMLElement>('#more')!;
const source = panel.querySelector('#source')!;
const wantsStillness = matchMedia('(prefers-reduced-motion: reduce)');

/** Shows GIFs in the panel, and calls `onPick` with the picked GIF. @returns functions to open and close it */
export function createPanel(onPick: (gif: Gif) => void, onClose: () => void): { open(): void; close(): void } {
  let shown: readonly Gif[] = [];
  const session = createSession(gifs, { onChange: show, suggestions: 0 });
  search.addEventListener('input', () => session.type(search.value || OPENING));
  more.addEventListener('click', () => session.more());
  panel.addEventListener('keydown', ({ key }) => key === 'Escape' && onClose());

  function show({ gifs: found, status: step, error, hasMore }: SessionState): void {
    const isEmpty = step === 'ready' && found.length === 0;
    status.textContent = error?.message ?? (isEmpty ? 'Nothing found' : '');
    more.hidden = !hasMore;
    if (found === shown) return;
    shown = found;
    list.replaceChildren(...found.map((gif) => tileOf(gif, onPick)));
  }

  return {
    open() {
      if (session.state.status === 'idle') session.submit(OPENING);
      void nameSource();
      panel.hidden = false;
      search.focus();
    },
    close() {
      panel.hidden = true;
    },
  };
}

/** Everyone who shows GIFs from the service must name it: a condition of use. */
async function nameSource(): Promise<void> {
  const { text, homePage } = await gifs.attribution().catch(() => ({ text: 'GIFs from Zoetrope', homePage: gifs.url }));
  const attributes = { href: homePage, textContent: text, target: '_blank', rel: 'noopener noreferrer' };
  source.replaceChildren(Object.assign(document.createElement('a'), attributes));
}

function tileOf(gif: Gif, onPick: (gif: Gif) => void): HTMLElement {
  const { width, height, animated, still } = gif.previews.w240;
  // The size reserves the image's place before it loads.
  const image = Object.assign(new Image(width, height), { loading: 'lazy', alt: gif.title || 'GIF' });
  image.src = wantsStillness.matches || animated === null ? still : animated;
  const button = Object.assign(document.createElement('button'), { type: 'button' });
  button.addEventListener('click', () => onPick(gif));
  button.append(image);
  const item = document.createElement('li');
  item.append(button);
  return item;
}
