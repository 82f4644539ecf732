// Served without a build step. Without this script, the page searches when the form is submitted, and each GIF has its
// own page. With this script, the page also searches while the user types, shows a GIF in a dialog, and loads stills
// before motion.
import './card.js';
import { complete } from './complete.js';
import { showPlaceholder } from './gif.js';
import { focusTile, orderTiles, tiles } from './grid.js';
import { forgetPictures, holdPictures, isStopped, resumePictures, stopPictures, watchPictures } from './pictures.js';
import { follow, isGif, isPlain, isViewing, view } from './viewer.js';

/** The path of the service's public URL. */
const BASE = document.documentElement.dataset.base ?? '';
const form = document.querySelector('[role="search"]');
const input = document.querySelector('#q');
const results = document.querySelector('#results');
/**
 * Pause before a failed search is repeated, in milliseconds. The pause doubles with each failure, up to the maximum.
 */
const RETRY_MS = 2_000;
const MAX_RETRY_MS = 60_000;
/** Milliseconds after scrolling before the scroll position is saved in the history. */
const SCROLLED_MS = 150;
/** A single letter does not start a search, but a word of one character or an emoji does. */
const ONE_LETTER = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}]$/u;
let searching = new AbortController();
let appending = new AbortController();
/** The query whose results are shown. */
let shown = input.defaultValue;
/** Results of earlier queries, so that the browser's Back button can show them again. */
const earlier = new Map();
/** Maximum number of earlier results. */
const EARLIER = 10;
/** Whether the next search gets its own entry in the history. While the user types, all searches share one entry. */
let isNew = true;
let retrying = 0;
/** Repeats the last request that failed. Undefined if none failed. */
let retry;
let failures = 0;
let typing = 0;
/** The timer that runs until scrolling ends, or 0. */
let scrolling = 0;

/** Fetches a page of results. Its pictures do not load yet. */
async function fetchPage(address, { signal }) {
  const start = performance.now();
  const response = await fetch(address, { signal, priority: 'high' });
  if (!response.ok) throw new Error(`The search returned ${response.status}`);
  const text = await response.text();
  const page = new DOMParser().parseFromString(text, 'text/html');
  holdPictures(page, performance.now() - start);
  return page;
}

/** Shows why the old results stay. Tries again later, or as soon as the device is online. */
function report(error, again) {
  if (error.name === 'AbortError') return;
  const { offline, unavailable, earlier } = results.dataset;
  const status = results.querySelector('#status');
  const reason = navigator.onLine ? unavailable : offline;
  status.textContent = results.querySelector('#tiles li') ? `${reason} ${earlier}` : reason;
  status.className = 'important notice';
  clearTimeout(retrying);
  retry = again;
  retrying = setTimeout(again, Math.min(RETRY_MS * 2 ** failures, MAX_RETRY_MS));
  failures += 1;
}

function forgetFailures() {
  failures = 0;
  retry = undefined;
  clearTimeout(retrying);
}

function adopt(page) {
  show(page.querySelector('#results').childNodes, page.title);
}

function show(nodes, title) {
  results.replaceChildren(...nodes);
  for (const topic of document.querySelectorAll('#topics a')) {
    if (topic.textContent === input.value) topic.setAttribute('aria-current', 'true');
    else topic.removeAttribute('aria-current');
  }
  document.title = title;
  forgetFailures();
  forgetPictures();
  watchTiles();
}

/** @param entry the search's entry in the history: a new one, the current one (`same`), or a restored one (`past`) */
async function search(entry = isNew ? 'new' : 'same') {
  const q = input.value;
  const address = `${BASE}/?q=${encodeURIComponent(q)}`;
  // A new search cancels older searches and requests for their next pages. A request for a next page must not cancel a
  // search.
  searching.abort();
  appending.abort();
  searching = new AbortController();
  stopPictures();
  try {
    const page = await fetchPage(address, searching);
    remember();
    adopt(page);
    if (entry === 'new' && q !== shown) history.pushState(null, '', address);
    else if (entry !== 'past') history.replaceState(null, '', address);
    isNew = false;
    shown = q;
    scrollTo(0, entry === 'past' ? (history.state?.y ?? 0) : 0);
  } catch (error) {
    report(error, () => void search(entry));
    // If a newer search has cancelled this one, pictures do not load yet, because the newer search needs the bandwidth.
    if (error.name !== 'AbortError') resumePictures();
  }
}

/** Stores the shown results, so that Back can show them again. */
function remember() {
  earlier.delete(shown);
  earlier.set(shown, { nodes: [...results.childNodes], title: document.title });
  if (earlier.size > EARLIER) earlier.delete(earlier.keys().next().value);
}

/** Shows the results of an earlier entry of the history, at the scroll position of that entry. */
function restore(state) {
  const q = new URLSearchParams(location.search).get('q') ?? '';
  isNew = true;
  if (q === shown) return;
  input.value = q;
  const kept = earlier.get(q);
  if (!kept) return void search('past');
  searching.abort();
  appending.abort();
  remember();
  shown = q;
  show(kept.nodes, kept.title);
  scrollTo(0, state?.y ?? 0);
}

async function appendMore(link) {
  try {
    appending = new AbortController();
    const page = await fetchPage(link.href, appending);
    results.querySelector('#tiles').append(...page.querySelectorAll('#tiles > li'));
    const next = page.querySelector('.more');
    if (next) link.parentElement.replaceWith(next);
    else link.parentElement.remove();
    // The old status could still report that the search was unavailable.
    results.querySelector('#status').replaceWith(page.querySelector('#status'));
    forgetFailures();
    watchTiles();
  } catch (error) {
    report(error, () => void appendMore(link));
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

/** Starts to handle the shown tiles. It has no effect on tiles that are already handled. */
function watchTiles() {
  watchPictures();
  orderTiles();
  watchEnd();
}

/** Pause between two requests while a new service adds GIFs or prepares other languages, in milliseconds. */
const CHANGES_MS = 2_000;

/**
 * While a new service adds GIFs or prepares other languages, shows the page again after each change, unless the user has
 * scrolled, searches or views a GIF.
 */
async function keepUp(seen) {
  let next = seen;
  let isChanging = true;
  try {
    const { documents, growing, languages } = await (await fetch(`${BASE}/healthz`)).json();
    isChanging = growing || !languages;
    const now = `${documents} ${languages}`;
    const before = searching;
    if (now !== seen && scrollY === 0 && !isStopped() && !isViewing()) {
      const page = await fetchPage(location.href, {});
      if (before === searching) adopt(page);
      next = now;
    }
  } catch {
    // The service is unavailable. The next request comes after a pause.
  }
  if (isChanging || next !== seen) setTimeout(() => void keepUp(next), CHANGES_MS);
}

input.addEventListener('input', () => {
  document.body.classList.remove('hero');
  clearTimeout(typing);
  if (ONE_LETTER.test(input.value.trim())) return;
  typing = setTimeout(() => void search(), 250);
});
complete(input, () => form.requestSubmit());
input.addEventListener('keydown', (event) => {
  if (event.key !== 'ArrowDown') return;
  event.preventDefault();
  focusTile(tiles()[0]);
});
form.addEventListener('submit', (event) => {
  event.preventDefault();
  clearTimeout(typing);
  void search().then(closeEntry);
});

/** The user has used the results, so the next search gets its own entry in the history. */
function closeEntry() {
  isNew = true;
}

input.addEventListener('blur', closeEntry);
results.addEventListener('click', (event) => {
  const link = event.target.closest('.tiles a');
  if (!link || !isPlain(event)) return;
  event.preventDefault();
  focusTile(link);
  view(link);
});
addEventListener('scroll', () => {
  clearTimeout(scrolling);
  scrolling = setTimeout(() => history.replaceState({ ...history.state, y: scrollY }, ''), SCROLLED_MS);
});
addEventListener('popstate', ({ state }) => {
  follow(state);
  if (!isGif(location.href)) restore(state);
});
addEventListener('online', () => retry?.());

// The results change without a new page, so the browser itself cannot restore the scroll position.
history.scrollRestoration = 'manual';
if (history.state?.y) scrollTo(0, history.state.y);
for (const image of results.querySelectorAll('img[data-lqip]')) showPlaceholder(image);
watchTiles();
const { progress } = results.querySelector('#status').dataset;
if (progress) void keepUp(progress);
