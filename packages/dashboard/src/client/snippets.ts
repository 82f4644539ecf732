/** The place from which an app calls the API. It determines how the app identifies itself. */
export type Way = 'browser' | 'native' | 'proxy' | 'hybrid';

export interface SnippetValues {
  apiBase: string;
  /** One of the client's own origins, or an example. */
  origin: string;
  /** The client's new key while it is displayed, otherwise a placeholder. */
  key: string;
  operator: { name: string; url: string };
}

const ATTRIBUTION = ({ operator: { name, url } }: SnippetValues) =>
  `<a href="${url}" target="_blank" rel="noopener noreferrer">GIFs from ${name}</a>`;

export const SNIPPETS: Readonly<Record<Way, (known: SnippetValues) => string>> = {
  browser: (known) => `// on a page of ${known.origin}
const response = await fetch('${known.apiBase}/api/v1/search?q=' + encodeURIComponent(query));
const { items } = await response.json();

// at the top of the picker:
${ATTRIBUTION(known)}`,
  native: ({ apiBase, key }) => `curl '${apiBase}/api/v1/search?q=gm' \\
  -H 'Authorization: Bearer ${key}'`,
  proxy: ({ apiBase }) => `// on your server, in Node, with the API key in the environment as GIF_API_KEY
async function search(query) {
  return fetch('${apiBase}/api/v1/search?q=' + encodeURIComponent(query), {
    headers: { authorization: 'Bearer ' + process.env.GIF_API_KEY },
  });
}`,
  hybrid: ({ apiBase, key }) => `import { CapacitorHttp } from '@capacitor/core';

const { data } = await CapacitorHttp.get({
  url: '${apiBase}/api/v1/search',
  params: { q: query },
  headers: { Authorization: 'Bearer ${key}' },
});`,
};
