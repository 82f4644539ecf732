// Served without a build step. Without this script, the page searches when the form is submitted. With it, the page also
// searches while people type, and loads stills before motion.
/** The path of the service's public URL. */
const BASE = document.documentElement.dataset.base ?? '';
const form = document.querySelector('form');
const input = document.querySelector('#q');
const results = document.querySelector('#results');
/** Media query of a moving preview that this script allows. */
const MOTION = '(prefers-reduced-motion: no-preference)';
/** Milliseconds without a scroll event after which the view counts as settled. */
const SETTLED_MS = 150;
/** Milliseconds from which a search counts as slow. On a slow line, the stills of its results are small ones at first. */
const SLOW_MS = 300;
/** A transparent pixel. */
const BLANK = 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=';
/** The pictures in view. */
const inView = new Set();
let searching = new AbortController();
let appending = new AbortController();
let isSearching = false;
let isSlow = false;
let typing = 0;
/** The timer that runs until the view has settled, or 0. */
let settling = 0;

/** Shows a placeholder until the picture has loaded, then removes it, because many pictures are transparent. */
function showPlaceholder(image) {
  if (image.complete && image.naturalWidth > 0) return;
  image.style.backgroundImage = `url("${image.dataset.lqip}")`;
  const clear = () => image.style.removeProperty('background-image');
  image.addEventListener('load', clear, { once: true });
  image.addEventListener('error', clear, { once: true });
}

function sourceOf(image) {
  return image.parentElement.querySelector('source');
}

function isMoving(image) {
  return sourceOf(image)?.media === MOTION;
}

/** Shows the placeholder instead of a picture, which then does not load. */
function hold(image) {
  const { dataset } = image;
  // An image that is already held keeps its still.
  dataset.still ??= image.src;
  if (isSlow && dataset.small !== undefined && dataset.sharp === undefined) {
    dataset.sharp = dataset.still;
    dataset.still = dataset.small;
  }
  image.src = dataset.lqip ?? BLANK;
}

function release(image) {
  image.src = image.dataset.still;
  delete image.dataset.still;
}

/** Allows the motion of a picture, or loads its sharp still if it has no motion. */
function improve(image) {
  sourceOf(image)?.setAttribute('media', MOTION);
  if (image.dataset.sharp === undefined || (sourceOf(image) && matchMedia(MOTION).matches)) return;
  image.src = image.dataset.sharp;
  delete image.dataset.sharp;
  delete image.dataset.small;
}

/**
 * Loads the stills in view, then the other stills, and the motion in view if the view has settled. A moving preview has
 * several times as many bytes as a still. While it loads, the browser keeps showing the still.
 */
function loadPictures() {
  // Before the first report of the observer, it is not known which tiles are in view.
  if (isSearching || inView.size === 0) return;
  const held = [...inView].filter(({ dataset }) => dataset.still !== undefined);
  for (const image of held) release(image);
  if (held.length > 0 || ![...inView].every((image) => image.complete || isMoving(image))) return;
  for (const image of results.querySelectorAll('#tiles img[data-still]')) release(image);
  if (settling !== 0) return;
  for (const image of inView) if (!isMoving(image)) improve(image);
}

/** Stops loading motion, so that the line is free for stills. Tiles that already move go on. */
function stopMotion() {
  for (const image of results.querySelectorAll('#tiles img')) {
    if (!image.complete && isMoving(image)) sourceOf(image).media = 'not all';
  }
}

/** Stops loading pictures, so that the line is free for a search. */
function stopPictures() {
  isSearching = true;
  for (const image of results.querySelectorAll('#tiles img')) if (!image.complete && !isMoving(image)) hold(image);
  stopMotion();
}

/** Loads the stopped pictures, because the search has failed and the old results stay. */
function resumePictures() {
  isSearching = false;
  loadPictures();
}

/** Fetches a page of results, with all its pictures held. */
async function fetchPage(address, { signal }) {
  const start = performance.now();
  const response = await fetch(address, { signal, priority: 'high' });
  if (!response.ok) throw new Error(`The search returned ${response.status}`);
  const text = await response.text();
  isSlow = performance.now() - start > SLOW_MS;
  const page = new DOMParser().parseFromString(text, 'text/html');
  for (const image of page.querySelectorAll('#tiles img')) hold(image);
  return page;
}

function report(error) {
  if (error.name === 'AbortError') return;
  results.querySelector('#status').textContent = 'The search is unavailable right now. Try again in a moment.';
}

function adopt(page) {
  results.replaceChildren(...page.querySelector('#results').childNodes);
  for (const topic of document.querySelectorAll('header nav a')) {
    if (topic.textContent === input.value) topic.setAttribute('aria-current', 'true');
    else topic.removeAttribute('aria-current');
  }
  document.title = page.title;
  isSearching = false;
  inView.clear();
  sight.disconnect();
  watchTiles();
  watchEnd();
}

async function search() {
  const address = `${BASE}/?q=${encodeURIComponent(input.value)}`;
  // A new search cancels older searches and their next pages; loading a next page must not cancel a search.
  searching.abort();
  appending.abort();
  searching = new AbortController();
  stopPictures();
  try {
    adopt(await fetchPage(address, searching));
    history.replaceState(null, '', address);
    scrollTo(0, 0);
  } catch (error) {
    report(error);
    // A newer search has cancelled this one, and still needs the line.
    if (error.name !== 'AbortError') resumePictures();
  }
}

async function appendMore(link) {
  try {
    appending = new AbortController();
    const page = await fetchPage(link.href, appending);
    results.querySelector('#tiles').append(...page.querySelectorAll('#tiles > li'));
    const next = page.querySelector('.more');
    if (next) link.parentElement.replaceWith(next);
    else link.parentElement.remove();
    watchTiles();
    watchEnd();
  } catch (error) {
    report(error);
  }
}

const end = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      end.unobserve(target);
      void appendMore(target);
    }
  },
  { rootMargin: '600px' },
);

function watchEnd() {
  end.disconnect();
  const link = results.querySelector('#more');
  if (link) end.observe(link);
}

/** Pause between two looks at a growing catalogue, in milliseconds. */
const GROWTH_MS = 2_000;

/** While GIFs are being added, shows them as they come, unless the reader has scrolled or searches. */
async function grow(seen) {
  let next = seen;
  let isGrowing = true;
  try {
    const { documents, growing } = await (await fetch(`${BASE}/healthz`)).json();
    isGrowing = growing;
    const before = searching;
    if (documents !== seen && scrollY === 0 && !isSearching) {
      const page = await fetchPage(location.href, {});
      if (before === searching) adopt(page);
      next = documents;
    }
  } catch {
    // The service is away. The next look finds it.
  }
  if (isGrowing || next !== seen) setTimeout(() => void grow(next), GROWTH_MS);
}

const sight = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (isIntersecting) inView.add(target);
    else inView.delete(target);
  }
  loadPictures();
});

/** Observes all tiles. Observing a tile again has no effect. */
function watchTiles() {
  for (const image of results.querySelectorAll('#tiles img')) sight.observe(image);
}

function settle() {
  settling = 0;
  loadPictures();
}

addEventListener('scroll', () => {
  stopMotion();
  clearTimeout(settling);
  settling = setTimeout(settle, SETTLED_MS);
});
// The events of pictures do not bubble, so they are captured.
results.addEventListener('load', loadPictures, true);
results.addEventListener(
  'error',
  ({ target }) => {
    // Without its source, the picture falls back to the still.
    if (isMoving(target)) sourceOf(target).remove();
    loadPictures();
  },
  true,
);

input.addEventListener('input', () => {
  clearTimeout(typing);
  if (input.value.trim().length === 1) return;
  typing = setTimeout(() => void search(), 250);
});
form.addEventListener('submit', (event) => {
  event.preventDefault();
  clearTimeout(typing);
  void search();
});

for (const image of results.querySelectorAll('img[data-lqip]')) showPlaceholder(image);
watchTiles();
watchEnd();
const { growing } = results.querySelector('#status').dataset;
if (growing) void grow(Number(growing));
