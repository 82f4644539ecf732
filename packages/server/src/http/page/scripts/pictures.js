// Loads the pictures of the search page: stills before motion, and pictures in view first. While a search runs, no
// pictures load.

const results = document.querySelector('#results');
/** Media query of a moving preview that this script allows. */
const MOTION = '(prefers-reduced-motion: no-preference)';
/** Milliseconds without a scroll event after which the view counts as settled. */
const SETTLED_MS = 150;
/** Milliseconds after which a search counts as slow. After a slow search, small stills are loaded first. */
const SLOW_MS = 300;
/** A width so small that the browser chooses the smallest file, even on screens with three pixels per CSS pixel. */
const SMALLEST = '1rem';
/** A transparent pixel. */
const BLANK = 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=';
/** The pictures in view. */
const inView = new Set();
let isSearching = false;
let isSlow = false;
/** The timer that runs until the view has settled, or 0. */
let settling = 0;

function sourceOf(image) {
  return image.parentElement.querySelector('source');
}

function isMoving(image) {
  return sourceOf(image)?.media === MOTION;
}

/** Shows the placeholder instead of a picture, so that the picture does not load. */
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

/**
 * Allows the motion of a picture, or loads its sharp still if it has no motion. On a slow connection, the smallest file
 * is loaded.
 */
function improve(image) {
  const source = sourceOf(image);
  if (isSlow && source) source.sizes = SMALLEST;
  source?.setAttribute('media', MOTION);
  if (image.dataset.sharp === undefined || (sourceOf(image) && matchMedia(MOTION).matches)) return;
  image.src = image.dataset.sharp;
  delete image.dataset.sharp;
  delete image.dataset.small;
}

/**
 * Loads the stills in view, then the other stills, and the motion in view if the view has settled. A moving preview has
 * several times as many bytes as a still. While the moving preview loads, the browser keeps showing the still.
 */
function loadPictures() {
  // Before the first report of the observer, it is not known which tiles are in view.
  if (isSearching || inView.size === 0) return;
  const held = [...inView].filter(({ dataset }) => dataset.still !== undefined);
  for (const image of held) release(image);
  if (held.length > 0 || ![...inView].every((image) => image.complete || isMoving(image))) return;
  for (const image of results.querySelectorAll('.tiles img[data-still]')) release(image);
  if (settling !== 0) return;
  for (const image of inView) if (!isMoving(image)) improve(image);
}

/** Stops loading motion, so that stills get the bandwidth. Tiles that already move continue. */
function stopMotion() {
  for (const image of results.querySelectorAll('.tiles img')) {
    if (!image.complete && isMoving(image)) sourceOf(image).media = 'not all';
  }
}

/** Stops loading pictures, so that a search gets the bandwidth. */
export function stopPictures() {
  isSearching = true;
  for (const image of results.querySelectorAll('.tiles img')) if (!image.complete && !isMoving(image)) hold(image);
  stopMotion();
}

/** Loads the stopped pictures, because the search has failed and the old results stay. */
export function resumePictures() {
  isSearching = false;
  loadPictures();
}

/** Whether pictures are stopped because a search runs. */
export function isStopped() {
  return isSearching;
}

/** Holds back the pictures of a page that was fetched. @param ms the time that the fetch took */
export function holdPictures(page, ms) {
  isSlow = ms > SLOW_MS;
  for (const image of page.querySelectorAll('#results .tiles img')) hold(image);
}

/** Forgets the pictures of results that are no longer shown. */
export function forgetPictures() {
  isSearching = false;
  inView.clear();
  sight.disconnect();
}

/** Loads the pictures of all tiles. Pictures that already load continue. */
export function watchPictures() {
  for (const image of results.querySelectorAll('.tiles img')) sight.observe(image);
}

const sight = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (isIntersecting) inView.add(target);
    else inView.delete(target);
  }
  loadPictures();
});

addEventListener('scroll', () => {
  stopMotion();
  clearTimeout(settling);
  settling = setTimeout(() => {
    settling = 0;
    loadPictures();
  }, SETTLED_MS);
});
// The events of pictures do not bubble, so they are captured.
results.addEventListener('load', loadPictures, true);
results.addEventListener(
  'error',
  ({ target }) => {
    // If the moving preview cannot be loaded, its source is removed, so that the still is shown.
    if (isMoving(target)) sourceOf(target).remove();
    loadPictures();
  },
  true,
);
