// The article of a GIF: on its own page, and in the dialog of the search page.
const BASE = document.documentElement.dataset.base ?? '';
/** Milliseconds for which a button confirms that it has copied. */
const SAID_MS = 2_000;

/** Makes the buttons of an article work. Without this function, the article still shows all facts. */
export function enliven(article) {
  for (const image of article.querySelectorAll('img[data-lqip]')) showPlaceholder(image);
  // There are only a few similar GIFs, so all of them move when they are in view.
  for (const source of article.querySelectorAll('.tiles source'))
    source.media = '(prefers-reduced-motion: no-preference)';
  for (const button of article.querySelectorAll('[data-copy]')) {
    button.addEventListener('click', () => void copyText(button, button.dataset.copy));
  }
  enableShare(article);
  enablePause(article);
  enableReport(article);
  enableSave(article);
}

/** Shows a placeholder until the picture has loaded, then removes it, because many pictures are transparent. */
export function showPlaceholder(image) {
  if (image.complete && image.naturalWidth > 0) return;
  image.style.backgroundImage = `url("${image.dataset.lqip}")`;
  const clear = () => image.style.removeProperty('background-image');
  image.addEventListener('load', clear, { once: true });
  image.addEventListener('error', clear, { once: true });
}

/**
 * Copies a text, and confirms it in the button. Browsers sometimes forbid this, for example on pages without https.
 * Then the text is shown and selected, so that the user can copy it.
 */
export async function copyText(button, text) {
  const isCopied = await navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  );
  if (!isCopied) showSelected(button, text);
  button.dataset.label ??= button.textContent;
  const { copied, failed } = button.closest('[data-copied]').dataset;
  button.textContent = isCopied ? copied : failed;
  button.ariaLive = 'polite';
  clearTimeout(button.timer);
  button.timer = setTimeout(() => {
    button.textContent = button.dataset.label;
  }, SAID_MS);
}

function showSelected(button, text) {
  const field = button.parentElement.querySelector('input') ?? document.createElement('input');
  if (!field.isConnected) {
    Object.assign(field, { readOnly: true, dir: 'ltr', ariaLabel: button.textContent });
    button.after(field);
  }
  field.value = text;
  field.select();
}

function enableShare(article) {
  const button = article.querySelector('[data-share]');
  const url = article.querySelector('[data-copy]').dataset.copy;
  const shared = { url, title: article.querySelector('h1').textContent };
  if (!button || !navigator.canShare?.(shared)) return;
  button.hidden = false;
  button.addEventListener('click', () => {
    // Closing the share sheet without sharing is not an error.
    navigator.share(shared).catch(() => {});
  });
}

/** Lets the space bar and the button stop the picture at its first frame. */
function enablePause(article) {
  const button = article.querySelector('[data-toggle]');
  const source = article.querySelector('.stage source');
  if (!button || !source) return;
  button.hidden = false;
  const motion = source.media;
  const isMoving = () => source.media !== 'not all' && matchMedia(source.media).matches;
  const show = () => {
    button.textContent = isMoving() ? button.dataset.pause : button.dataset.play;
  };
  show();
  button.addEventListener('click', () => {
    source.media = isMoving() ? 'not all' : 'all';
    show();
  });
  matchMedia(motion).addEventListener('change', show);
}

/** Sends the report without leaving the page. If there is no response, the browser itself submits the form. */
function enableReport(article) {
  const form = article.querySelector('form.report');
  form?.addEventListener('submit', async (event) => {
    event.preventDefault();
    form.ariaBusy = 'true';
    try {
      const body = new URLSearchParams(new FormData(form));
      const response = await fetch(`${BASE}/report`, { method: 'POST', body });
      const page = new DOMParser().parseFromString(await response.text(), 'text/html');
      const said = page.querySelector('[role="status"], [role="alert"]');
      form.querySelector('.problem')?.remove();
      if (response.ok) form.replaceChildren(said);
      else form.prepend(said);
      said.tabIndex = -1;
      said.focus();
    } catch {
      form.submit();
    } finally {
      form.ariaBusy = 'false';
    }
  });
}

/** Key of the address of the server on which this browser saved a GIF last. */
const SERVER = 'blossom-server';

/** Lets people with a signer save the GIF on their own Blossom server. */
function enableSave(article) {
  const section = article.querySelector('.save');
  if (!section) return;
  const show = () => {
    section.hidden = typeof window.nostr?.signEvent !== 'function';
  };
  show();
  // Some extensions add the signer after the page has loaded.
  addEventListener('load', () => setTimeout(show), { once: true });
  addEventListener('focusin', show, { once: true });
  addEventListener('pointermove', show, { once: true });
  const form = section.querySelector('form');
  form.server.value = recall(SERVER);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void save(section, form.server.value);
  });
}

async function save(section, server) {
  const said = section.querySelector('[role="status"]');
  const { url, sha256, saved, failed } = section.dataset;
  section.ariaBusy = 'true';
  said.replaceChildren();
  try {
    const { saveTo } = await import(`${BASE}/gif-client.js`);
    const [result] = await saveTo({ url, sha256 }, [server], window.nostr);
    if (result.error !== undefined) throw new Error(result.error);
    remember(SERVER, server);
    const link = Object.assign(document.createElement('a'), { href: result.url });
    link.textContent = saved.replace('{host}', new URL(result.url).host);
    said.append(link);
  } catch (error) {
    said.textContent = failed.replace('{reason}', error.message ?? error);
  } finally {
    section.ariaBusy = 'false';
  }
}

/** Browsers that keep nothing throw here. */
function recall(key) {
  try {
    return localStorage.getItem(key) ?? '';
  } catch {
    return '';
  }
}

function remember(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {} // the address is typed again
}

const own = document.querySelector('main > #gif');
if (own) {
  enliven(own);
  // If this page was reloaded while it was a dialog, earlier entries of the history belong to another page.
  const { pathname } = location;
  addEventListener('popstate', () => location.pathname !== pathname && location.reload());
}
