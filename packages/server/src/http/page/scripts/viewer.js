// Shows the page of a GIF in a dialog above the results. While the dialog is open, the browser shows the URL of the
// GIF's page, so that the user can share it.
import { enliven } from './gif.js';

const BASE = document.documentElement.dataset.base ?? '';
const isRightToLeft = document.documentElement.dir === 'rtl';
const dialog = document.querySelector('#viewer');
const place = dialog.querySelector('.place');
let loading = new AbortController();
/** The path of the GIF that the dialog shows. */
let shown = '';
/** Number of entries in the history that the open dialog has added. */
let depth = 0;
/** The title of the page behind the dialog. */
let title = '';

/** Whether a URL is the URL of a GIF's page. */
export function isGif(address) {
  return new URL(address, location.href).pathname.startsWith(`${BASE}/g/`);
}

export function isViewing() {
  return dialog.open;
}

/** Opens the GIF of a link. @param part selector of the part of the GIF's page that is shown first */
export function view(link, part = undefined) {
  depth += 1;
  history.pushState({ depth }, '', link.href);
  void show(link.href, part);
}

/** Shows the state in the history: the GIF of a URL, or no GIF. */
export function follow(state) {
  depth = state?.depth ?? 0;
  if (isGif(location.href)) void show(location.href);
  else if (dialog.open) dialog.close();
}

/** Whether a click is a plain one, which does not open another window. */
export function isPlain(event) {
  return event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
}

function tiles() {
  return [...document.querySelectorAll('#results .tiles a')];
}

function tileOf(address) {
  const { pathname } = new URL(address, location.href);
  return tiles().find((link) => link.pathname === pathname);
}

async function show(address, part) {
  loading.abort();
  loading = new AbortController();
  shown = address;
  const neighbours = neighboursOf(address);
  for (const button of dialog.querySelectorAll('[data-step]')) {
    button.disabled = neighbours[button.dataset.step] === undefined;
  }
  preview(tileOf(address));
  if (!dialog.open) {
    title = document.title;
    dialog.showModal();
  }
  dialog.scrollTop = 0;
  try {
    const response = await fetch(address, { signal: loading.signal, headers: { accept: 'text/html' } });
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const article = page.querySelector('#gif') ?? page.querySelector('main');
    place.replaceChildren(article);
    if (article.id === 'gif') enliven(article);
    document.title = page.title;
    place.querySelector('[data-copy]')?.focus();
    if (part) place.querySelector(part)?.scrollIntoView();
  } catch (error) {
    if (error.name !== 'AbortError') location.assign(address);
  } finally {
    place.ariaBusy = 'false';
  }
}

/** Until the page has loaded, the dialog shows the picture of the tile. */
function preview(tile) {
  place.ariaBusy = 'true';
  const stage = document.createElement('div');
  stage.className = 'stage';
  if (tile) {
    const picture = tile.querySelector('picture').cloneNode(true);
    const image = picture.querySelector('img');
    image.style.setProperty('--width', `${image.width}px`);
    stage.append(picture);
  }
  place.replaceChildren(stage);
}

function neighboursOf(address) {
  const links = tiles();
  const at = links.indexOf(tileOf(address));
  return at < 0 ? {} : { '-1': links[at - 1], 1: links[at + 1] };
}

/** Shows a neighbour in the results. All neighbours share one entry in the history. */
function step(by) {
  const link = neighboursOf(shown)[by];
  if (!link) return;
  history.replaceState(history.state, '', link.href);
  link.scrollIntoView({ block: 'nearest' });
  void show(link.href);
}

function leave() {
  if (depth > 0) history.go(-depth);
  else dialog.close();
}

dialog.addEventListener('cancel', (event) => {
  event.preventDefault();
  leave();
});
dialog.addEventListener('close', () => {
  loading.abort();
  document.title = title;
  tileOf(shown)?.focus();
});
dialog.addEventListener('click', (event) => {
  const { target } = event;
  if (target === dialog || target.closest('[data-close]')) return leave();
  const button = target.closest('[data-step]');
  if (button) return step(button.dataset.step);
  const link = target.closest('.tiles a');
  if (!link || !isPlain(event)) return;
  event.preventDefault();
  view(link);
});
dialog.addEventListener('keydown', (event) => {
  if (event.target.closest('input, textarea, select') || event.ctrlKey || event.metaKey || event.altKey) return;
  const forward = isRightToLeft ? 'ArrowLeft' : 'ArrowRight';
  const back = isRightToLeft ? 'ArrowRight' : 'ArrowLeft';
  if (event.key === forward) step(1);
  else if (event.key === back) step(-1);
  else if (event.key === ' ' && !event.target.closest('button, summary, a'))
    place.querySelector('[data-toggle]')?.click();
  else return;
  event.preventDefault();
});
