import http from 'node:http';
import { createClient, GifError } from '@zoetrope/client';

/** Only browsers may cache responses, for as long as the service allows for a complete response. */
const CACHE = 'private, max-age=60';

/**
 * A server that sends requests to a GIF service with its own key. It has the same paths as the service, so the picker
 * and the SDK can use it as their service: `<gif-picker service="https://your-app.example">`.
 */
export function createProxy({ url, apiKey }) {
  // Users wait for these responses, so errors are forwarded immediately instead of retrying here.
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

/** Forwards only these parameters, and none of the browser's headers. The service would refuse a foreign Origin. */
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

/** Forwards an error from the service: its status, code and message, and when to retry. */
function refuse(response, error) {
  if (!(error instanceof GifError)) {
    console.error(error);
    send(response, 500, { error: { code: 'internal', message: 'Internal error' } });
    return;
  }
  const { code, message, retryAfter } = error;
  // Without a response there is no status, and a captive portal may have sent 200.
  const status = error.status >= 400 ? error.status : 503;
  // Users cannot fix a wrong key, so the operator of this proxy gets a message, too.
  if (code === 'client_not_registered') console.error(`${message} Is ZOETROPE_KEY right?`);
  send(response, status, { error: { code, message } }, retryAfter === undefined ? {} : { 'retry-after': retryAfter });
}

function send(response, status, body, headers = {}) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
