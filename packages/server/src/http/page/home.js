// Served without a build step. Without this script, the page searches when the form is submitted. With it, the page also
// searches while people type.
/** The path of the service's public URL. */
const BASE = document.documentElement.dataset.base ?? '';
const form = document.querySelector('form');
const input = document.querySelector('#q');
const results = document.querySelector('#results');
let searching = new AbortController();
let appending = new AbortController();
let typing = 0;

/** Shows the placeholder until the picture has loaded, then removes it, because many pictures are transparent. */
function showPlaceholders(root) {
  for (const image of root.querySelectorAll('img[data-lqip]')) {
    const { lqip } = image.dataset;
    delete image.dataset.lqip;
    if (image.complete && image.naturalWidth > 0) continue;
    image.style.backgroundImage = `url("${lqip}")`;
    const clear = () => image.style.removeProperty('background-image');
    image.addEventListener('load', clear, { once: true });
    image.addEventListener('error', clear, { once: true });
  }
}

async function fetchPage(address, { signal }) {
  const response = await fetch(address, { signal });
  if (!response.ok) throw new Error(`The search returned ${response.status}`);
  return new DOMParser().parseFromString(await response.text(), 'text/html');
}

function report(error) {
  if (error.name === 'AbortError') return;
  results.querySelector('#status').textContent = 'The search is unavailable right now. Try again in a moment.';
}

function adopt(page) {
  showPlaceholders(page);
  results.replaceChildren(...page.querySelector('#results').childNodes);
  for (const topic of document.querySelectorAll('header nav a')) {
    if (topic.textContent === input.value) topic.setAttribute('aria-current', 'true');
    else topic.removeAttribute('aria-current');
  }
  document.title = page.title;
  watchEnd();
}

async function search() {
  const address = `${BASE}/?q=${encodeURIComponent(input.value)}`;
  // A new search cancels older searches and their next pages; loading a next page must not cancel a search.
  searching.abort();
  appending.abort();
  searching = new AbortController();
  try {
    adopt(await fetchPage(address, searching));
    history.replaceState(null, '', address);
    scrollTo(0, 0);
  } catch (error) {
    report(error);
  }
}

async function appendMore(link) {
  try {
    appending = new AbortController();
    const page = await fetchPage(link.href, appending);
    showPlaceholders(page);
    results.querySelector('#tiles').append(...page.querySelectorAll('#tiles > li'));
    const next = page.querySelector('.more');
    if (next) link.parentElement.replaceWith(next);
    else link.parentElement.remove();
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

/** While GIFs are being added, shows them as they come, unless the reader has scrolled. */
async function grow(seen) {
  let next = seen;
  let isGrowing = true;
  try {
    const { documents, growing } = await (await fetch(`${BASE}/healthz`)).json();
    isGrowing = growing;
    const before = searching;
    if (documents !== seen && scrollY === 0) {
      const page = await fetchPage(location.href, {});
      if (before === searching) adopt(page);
      next = documents;
    }
  } catch {
    // The service is away. The next look finds it.
  }
  if (isGrowing || next !== seen) setTimeout(() => void grow(next), GROWTH_MS);
}

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

showPlaceholders(document);
watchEnd();
const { growing } = results.querySelector('#status').dataset;
if (growing) void grow(Number(growing));
