import { Capacitor, CapacitorHttp } from '@capacitor/core';
import { createClient } from '@zoetrope/client';

/*
 * The page of a Capacitor app is at capacitor://localhost on iOS, and at https://localhost on Android. The first cannot be
 * registered as an origin, and a service that sees it ignores any key; the second is the development client, which
 * everybody shares. So a released app sends its requests from its native side, which adds no Origin, with an API key.
 */

/** Like `fetch`, but sends requests from the native side. */
const nativeFetch: typeof fetch = async (url, { headers, signal } = {}) => {
  const answer = await CapacitorHttp.get({ url: String(url), headers: headers as Record<string, string> });
  // A native request cannot be cancelled, so a response that comes too late is ignored.
  signal?.throwIfAborted();
  const body = typeof answer.data === 'string' ? answer.data : JSON.stringify(answer.data);
  return new Response(body, { status: answer.status, headers: answer.headers });
};

const { VITE_GIF_SERVICE: url = 'http://127.0.0.1:8080', VITE_GIF_KEY: apiKey } = import.meta.env;

/** In a browser, during development, the app is the development client and needs no key. */
export const gifs = createClient(Capacitor.isNativePlatform() ? { url, apiKey, fetch: nativeFetch } : { url });
