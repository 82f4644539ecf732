import fs from 'node:fs';
import { posix } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { basePathOf } from '../../base/base-path.ts';
import { once } from '../../base/remember.ts';
import type { HttpContext } from '../context.ts';
import { readText, registerFile } from '../page/files.ts';
import { escapeHtml, sendPage } from '../page/frame.ts';
import { markFile } from '../page/mark.ts';
import { LANGUAGES } from '../page/words/words.ts';
import { renderSite } from '../site/frame.ts';
import { renderReference } from '../site/reference.ts';

/** The repository's root. The path is correct for the sources and for the bundle. */
const ROOT = new URL(import.meta.url.includes('/dist/') ? '../../../../../../' : '../../../../../', import.meta.url);
const PICKER = new URL('packages/picker/bundle/', ROOT);
const CLIENT = new URL('packages/client/bundle/', ROOT);

/** Files in docs/ that the service also shows as pages. */
const DOCUMENTS: Readonly<Record<string, string>> = {
  'build/guide.md': '/developers',
  'build/picker.md': '/developers/picker',
  'build/faces.md': '/developers/faces',
  'build/nostr.md': '/developers/nostr',
  'build/mcp.md': '/developers/mcp',
  'comparison.md': '/developers/comparison',
  'quality.md': '/developers/quality',
  'benchmarks.md': '/developers/speed',
  'privacy.md': '/privacy',
};

/** Registers the developer pages and all files that they load. */
export function registerSite(app: FastifyInstance, context: HttpContext): void {
  const { publicUrl, operator } = context;
  for (const [name, path] of Object.entries(DOCUMENTS)) {
    const page = once(() => renderPage(name, path, context));
    app.get(path, async (_, reply) => sendPage(reply, await page(), publicUrl));
  }
  const reference = once(() => {
    const { main, sections } = renderReference(publicUrl);
    return renderSite({ path: '/developers/api', title: 'API', operator, main, sections });
  });
  app.get('/developers/api', (_, reply) => sendPage(reply, reference(), publicUrl));
  app.get('/status', async (_, reply) => sendPage(reply, await renderStatus(context), publicUrl));
  registerFile(app, '/site.js', new URL('../site/site.js', import.meta.url));
  registerIcons(app, context);
  registerFonts(app);
  registerPicker(app);
  // Deno finds the types with this header.
  registerFile(app, '/gif-client.js', new URL('gif-client.js', CLIENT), { 'x-typescript-types': './gif-client.d.ts' });
  registerFile(app, '/gif-client.d.ts', new URL('gif-client.d.ts', CLIENT));
  registerFile(app, '/gif-client.js.map', new URL('gif-client.js.map', CLIENT));
}

/**
 * Registers the picker and the files that it loads later: its texts in each language other than English, syncing of
 * favourites, and the menu with the details of a GIF.
 */
function registerPicker(app: FastifyInstance): void {
  const languages = Object.keys(LANGUAGES).filter((language) => language !== 'en');
  for (const name of ['gif-picker', ...[...languages, 'favourites', 'more'].map((part) => `gif-picker-${part}`)])
    registerFile(app, `/${name}.js`, new URL(`${name}.js`, PICKER));
}

/**
 * Registers the font of the pages. One file has the letters of English. A second file has the additional letters of
 * other languages in Latin script.
 */
function registerFonts(app: FastifyInstance): void {
  // The font package is located when a font is first requested.
  const fonts = {
    '/font.woff2': () => import.meta.resolve('@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2'),
    '/font-extended.woff2': () =>
      import.meta.resolve('@fontsource-variable/figtree/files/figtree-latin-ext-wght-normal.woff2'),
  };
  for (const [path, find] of Object.entries(fonts)) {
    const font = once(() => fs.readFileSync(new URL(find())));
    app.get(path, (_, reply) =>
      reply.headers({ 'content-type': 'font/woff2', 'cache-control': 'public, max-age=604800' }).send(font()),
    );
  }
}

/** Registers the icons of the service, and the manifest that phones use to install it. */
function registerIcons(app: FastifyInstance, context: HttpContext): void {
  const send = (path: string, type: string, body: () => string) =>
    app.get(path, (_, reply) =>
      reply.header('content-type', type).header('cache-control', 'public, max-age=86400').send(body()),
    );
  send('/icon.svg', 'image/svg+xml', () => markFile(false));
  send('/icon-maskable.svg', 'image/svg+xml', () => markFile(true));
  send('/manifest.webmanifest', 'application/manifest+json', () => JSON.stringify(describeApp(context)));
}

function describeApp({ operator, publicUrl }: HttpContext): object {
  const base = basePathOf(publicUrl);
  const icon = (name: string, purpose: string) => ({
    src: `${base}/${name}.svg`,
    ...{ sizes: 'any', type: 'image/svg+xml', purpose },
  });
  return {
    name: `GIFs from ${operator.name}`,
    ...{ short_name: 'GIFs', start_url: `${base}/`, display: 'standalone' },
    icons: [icon('icon', 'any'), icon('icon-maskable', 'maskable')],
    ...{ background_color: '#fbfaf7', theme_color: '#6d3bd1' },
  };
}

async function renderPage(name: string, path: string, { publicUrl, operator }: HttpContext): Promise<string> {
  // The module is loaded on demand, because serving threads usually do not need it.
  const { renderDocument } = await import('../site/document.ts');
  const markdown = readText(new URL(`docs/${name}`, ROOT));
  const values = { url: publicUrl, operator: operator.name };
  const pageOf = (href: string) => DOCUMENTS[posix.join(posix.dirname(name), href)];
  const { title, html, sections } = renderDocument(markdown, values, pageOf);
  const main = path === '/developers' ? html.replace('</p>\n', `</p>\n${DEMO}`) : html;
  return renderSite({ path, title, operator, main, sections });
}

const DEMO = `<div class="demo"><div class="picked" hidden><p>What to put into the note:</p><pre tabindex="0"><code></code></pre></div></div>
`;

async function renderStatus(context: HttpContext): Promise<string> {
  const { index } = context.lease();
  const { search, embedder, isGrowing, hasLanguages } = await context.health();
  const { state } = embedder;
  const rows: [string, string][] = [
    ['Search by words', search === 'ok' ? 'works' : 'not available: the search cluster cannot be reached'],
    ['Other languages and emoji', hasLanguages ? 'work' : 'are being prepared'],
    [
      'Search by meaning',
      state === 'none' ? 'not available' : state === 'ready' ? 'works' : `${state}: searches use words only`,
    ],
    ['Similar GIFs', index.hasLooks ? 'works' : 'by meaning, until the pictures have been described'],
    ['GIFs that can be found', `${index.documents}${isGrowing ? ', and more are being added' : ''}`],
    ['Build of the index', index.buildId],
  ];
  const body = rows.map(
    ([what, how]) => `<tr><th scope="row">${what}</th><td class="state">${escapeHtml(how)}</td></tr>`,
  );
  const main = `<h1>Status</h1>
<p>As of this moment. For machines: <a href="/healthz">/healthz</a>.</p>
<div class="wide" tabindex="0"><table><tbody>${body.join('\n')}</tbody></table></div>`;
  return renderSite({ path: '/status', title: 'Status', operator: context.operator, main });
}
