// The card with title and actions of a GIF. It is shown below the tile that is pointed at, focused or pressed for long.
import { copyText } from './gif.js';
import { isPlain, view } from './viewer.js';

const results = document.querySelector('#results');
const card = document.querySelector('#card');
const title = card.querySelector('.title');
const [copy, more] = card.querySelectorAll('button');
/**
 * Milliseconds for which the pointer must rest on a tile before the card appears. A pointer that only passes shows no
 * card.
 */
const REST_MS = 250;
/** Milliseconds after which a touch counts as long. */
const LONG_MS = 500;
let resting = 0;
let pressing = 0;
/** Whether the touch has opened the card. The end of such a touch does not open the GIF. */
let wasLong = false;
/** The link of the tile to which the card belongs. */
let tile;
/** Whether the pointer has opened the card. */
let isPointed = false;

function show(link, byPointer = false) {
  clearTimeout(resting);
  if (!link.isConnected) return;
  tile = link;
  isPointed = byPointer;
  title.textContent = link.title || link.dataset.title;
  // The link's title is removed, because the browser would show it a second time.
  link.dataset.title = title.textContent;
  link.removeAttribute('title');
  const box = link.getBoundingClientRect();
  card.style.maxWidth = `max(17rem, ${Math.round(box.width)}px)`;
  card.hidden = false;
  const { width } = card.getBoundingClientRect();
  const left = Math.min(Math.max(box.left, 0), document.documentElement.clientWidth - width);
  card.style.translate = `${Math.round(left + scrollX)}px ${Math.round(box.bottom + scrollY)}px`;
}

function hide() {
  clearTimeout(resting);
  card.hidden = true;
  if (tile?.dataset.title) tile.title = tile.dataset.title;
  tile = undefined;
  isPointed = false;
}

function isInside(element) {
  return element instanceof Node && (card.contains(element) || tile?.contains(element) === true);
}

// Chromium sends no `pointerout` for an element whose text has changed, such as the copy button.
addEventListener('pointerover', ({ target, pointerType }) => {
  if (pointerType !== 'mouse' || isInside(target)) return;
  clearTimeout(resting);
  if (isPointed) hide();
  const link = target.closest('#results .tiles a');
  if (link) resting = setTimeout(show, REST_MS, link, true);
});
document.documentElement.addEventListener('pointerleave', ({ pointerType }) => {
  if (pointerType === 'mouse') hide();
});
results.addEventListener('focusin', ({ target }) => {
  if (target.matches('.tiles a:focus-visible')) show(target);
});
for (const place of [results, card]) {
  place.addEventListener('focusout', ({ relatedTarget }) => {
    if (!isInside(relatedTarget)) hide();
  });
}
// A long touch opens the card instead of the browser's menu.
results.addEventListener('pointerdown', ({ target, pointerType }) => {
  const link = target.closest('.tiles a');
  wasLong = false;
  if (!link || pointerType !== 'touch') return;
  pressing = setTimeout(() => {
    wasLong = true;
    show(link);
  }, LONG_MS);
});
for (const end of ['pointerup', 'pointercancel']) addEventListener(end, () => clearTimeout(pressing));
results.addEventListener('contextmenu', (event) => {
  if (event.pointerType === 'touch' && event.target.closest('.tiles a')) event.preventDefault();
});
results.addEventListener(
  'click',
  (event) => {
    if (!wasLong) return;
    wasLong = false;
    event.preventDefault();
    event.stopPropagation();
  },
  true,
);
addEventListener('pointerdown', ({ target }) => {
  if (!card.hidden && !card.contains(target)) hide();
});
addEventListener('keydown', ({ key }) => key === 'Escape' && hide());
addEventListener('scroll', hide);

copy.addEventListener('click', () => void copyText(copy, tile.dataset.url));
more.addEventListener('click', (event) => {
  if (!isPlain(event)) return;
  const link = tile;
  hide();
  view(link, '#more-like-this');
});
