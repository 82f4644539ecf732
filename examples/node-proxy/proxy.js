import http from 'node:http';
import { createClient, GifError } from '@zoetrope/client';

/** Answers here are an app's own: a browser may keep them as long as the service lets it keep its shortest. */
const CACHE = 'private, max-age=60';

/**
 * A server that asks a GIF service with its own key. Its paths are those of the service, so that the picker and the SDK take
 * it for one: `<gif-picker service="https://your-app.example">`.
 */
export function createProxy({ url, apiKey }) {
  // Users wait for these answers, so pass a rejection on at once instead of retrying here.
  const gifs = createClient({ url, apiKey, retries: 0 });

  return http.createServer(async (request, response) => {
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    try {
      const answer = await ask(gifs, new URL(request.url, 'http://proxy'), gone.signal);
      send(response, 200, answer, { 'cache-control': CACHE });
    } catch (error) {
      if (!gone.signal.aborted) refuse(response, error);
    }
  });
}

/** Only these are passed to the service: none of the browser's headers, above all not its Origin. */
async function ask(gifs, { pathname, searchParams }, signal) {
  const { q = '', limit, offset, mode } = Object.fromEntries(searchParams);
  const [, id] = /^\/api\/v1\/gifs\/([\w.-]+)\/similar$/.exec(pathname) ?? [];
  if (id !== undefined) return gifs.similar(id, { limit, signal });
  if (pathname === '/api/v1/search') return gifs.search(q, { limit, offset, mode, signal });
  if (pathname === '/api/v1/suggest') return gifs.suggest(q, { limit, signal });
  if (pathname === '/.well-known/gif-search.json') {
    const { text, name, homePage } = await gifs.attribution();
    return { attribution: { text, name, url: homePage } };
  }
  throw new GifError('not_found', 'This proxy serves only GIFs', { status: 404 });
}

/** What the service says of a failure, for the app: its status, code and message, and when to come again. */
function refuse(response, error) {
  if (!(error instanceof GifError)) {
    console.error(error);
    send(response, 500, { error: { code: 'internal', message: 'Internal error' } });
    return;
  }
  const { code, message, retryAfter } = error;
  // No answer at all has no status; a portal in between may say 200.
  const status = error.status >= 400 ? error.status : 503;
  // A key that the service does not take is a matter between it and you.
  if (code === 'client_not_registered') console.error(`${message} Is ZOETROPE_KEY right?`);
  send(response, status, { error: { code, message } }, retryAfter === undefined ? {} : { 'retry-after': retryAfter });
}

function send(response, status, body, headers = {}) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
