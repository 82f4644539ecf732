/** How an app calls the API, which decides what lets it in. */
export type Way = 'browser' | 'native' | 'proxy' | 'hybrid';

export interface Known {
  apiBase: string;
  /** One of the client's own, or an example. */
  origin: string;
  /** The client's own while it is shown, or a word that stands for it. */
  key: string;
  operator: { name: string; url: string };
}

export interface Snippet {
  title: string;
  /** What to know before copying. */
  advice: string;
  code: (known: Known) => string;
}

const ATTRIBUTION = ({ operator: { name, url } }: Known) =>
  `<a href="${url}" target="_blank" rel="noopener noreferrer">GIFs from ${name}</a>`;

export const SNIPPETS: Readonly<Record<Way, Snippet>> = {
  browser: {
    title: 'Browser',
    advice:
      'The browser names the origin of your page by itself. Send no headers of your own: a request with an Authorization header fails before it is sent.',
    code: (known) => `// on a page of ${known.origin}
const response = await fetch('${known.apiBase}/api/v1/search?q=' + encodeURIComponent(query));
const { items } = await response.json();

// in the head of the picker:
${ATTRIBUTION(known)}`,
  },
  native: {
    title: 'Native app',
    advice: 'Send the key, and no Origin header: where an Origin is sent, it alone decides.',
    code: ({ apiBase, key }) => `curl '${apiBase}/api/v1/search?q=gm' \\
  -H 'Authorization: Bearer ${key}'`,
  },
  proxy: {
    title: 'Own server',
    advice: 'Keep the key on your server, and do not pass the Origin of the browser on.',
    code: ({ apiBase, key }) => `// on your server, in Node; the key is ${key}
async function search(query) {
  return fetch('${apiBase}/api/v1/search?q=' + encodeURIComponent(query), {
    headers: { authorization: 'Bearer ' + process.env.GIF_API_KEY },
  });
}`,
  },
  hybrid: {
    title: 'Hybrid app',
    advice:
      'A WebView at capacitor://, tauri:// or file:// cannot be let in by its origin. Have the native side ask, which sends none.',
    code: ({ apiBase, key }) => `import { CapacitorHttp } from '@capacitor/core';

const { data } = await CapacitorHttp.get({
  url: '${apiBase}/api/v1/search',
  params: { q: query },
  headers: { Authorization: 'Bearer ${key}' },
});`,
  },
};
