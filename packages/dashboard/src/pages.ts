import type { Account, Site } from '@zoetrope/contract/account';
import { html } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import './clients/clients-page.ts';
import './clients/register-page.ts';
import './clients/pay-page.ts';
import './client/client-page.ts';
import './console/operator-pages.ts';
import './notices-page.ts';
import './sessions-page.ts';
import { TABS } from './client/tabs.ts';
import { BASE } from './navigation.ts';

interface PageContext {
  site: Site;
  account: Account;
  /** Called after this browser has signed out. */
  signedOut: () => void;
}

interface Page {
  title: string;
  render: (shown: PageContext) => unknown;
}

const PAGES: ReadonlyArray<{ path: RegExp; title: string; render: (shown: PageContext, id: string) => unknown }> = [
  {
    path: /^$/,
    title: 'Clients',
    render: ({ site }) => html`<clients-page .site=${site}></clients-page>`,
  },
  {
    path: /^\/register$/,
    title: 'Register',
    render: ({ site }) => html`<register-page .site=${site}></register-page>`,
  },
  ...TABS.map(({ path, title }) => ({
    path: new RegExp(`^/clients/([\\w-]+)${path}$`),
    title: path === '' ? 'Client' : `Client: ${title}`,
    render: ({ site, account }: PageContext, id: string) =>
      keyed(id, html`<client-page .site=${site} .account=${account} .clientId=${id} .tab=${path}></client-page>`),
  })),
  {
    path: /^\/clients\/([\w-]+)\/pay$/,
    title: 'Pay',
    render: ({ site }, id) => keyed(id, html`<pay-page .site=${site} .clientId=${id}></pay-page>`),
  },
  {
    path: /^\/review$/,
    title: 'Overview',
    render: () => forOperators(html`<overview-page></overview-page>`),
  },
  {
    path: /^\/review\/catalogue$/,
    title: 'Catalogue',
    render: () => forOperators(html`<catalogue-page></catalogue-page>`),
  },
  {
    // Earlier versions had the reports at /review/gifs.
    path: /^\/review\/(?:queue|gifs)$/,
    title: 'Queue',
    render: () => forOperators(html`<queue-page></queue-page>`),
  },
  {
    path: /^\/review\/gifs\/([\w.-]+)$/,
    title: 'GIF',
    render: (_, id) => forOperators(keyed(id, html`<moderated-gif-page .gifId=${id}></moderated-gif-page>`)),
  },
  {
    path: /^\/review\/clients$/,
    title: 'All clients',
    render: () => forOperators(html`<review-page></review-page>`),
  },
  {
    path: /^\/review\/clients\/([\w-]+)$/,
    title: 'Client',
    render: (_, id) => forOperators(keyed(id, html`<reviewed-client-page .clientId=${id}></reviewed-client-page>`)),
  },
  {
    path: /^\/review\/jobs$/,
    title: 'Jobs',
    render: () => forOperators(html`<jobs-page></jobs-page>`),
  },
  {
    path: /^\/review\/jobs\/(\d+)$/,
    title: 'Import',
    render: (_, id) => forOperators(keyed(id, html`<import-page .importId=${id}></import-page>`)),
  },
  {
    path: /^\/review\/sources$/,
    title: 'Sources',
    render: () => forOperators(html`<sources-page></sources-page>`),
  },
  {
    path: /^\/review\/builds$/,
    title: 'Builds',
    render: () => forOperators(html`<builds-page></builds-page>`),
  },
  {
    path: /^\/review\/backups$/,
    title: 'Backups',
    render: () => forOperators(html`<backups-page></backups-page>`),
  },
  {
    path: /^\/review\/languages$/,
    title: 'Languages',
    render: () => forOperators(html`<languages-page></languages-page>`),
  },
  {
    path: /^\/review\/settings$/,
    title: 'Settings',
    render: () => forOperators(html`<settings-page></settings-page>`),
  },
  {
    path: /^\/review\/audit$/,
    title: 'Activity',
    render: () => forOperators(html`<audit-page></audit-page>`),
  },
  {
    path: /^\/notices$/,
    title: 'Notices',
    render: ({ site, account }) => html`<notices-page .site=${site} .account=${account}></notices-page>`,
  },
  {
    path: /^\/sessions$/,
    title: 'Sessions',
    render: ({ signedOut }) => html`<sessions-page .signedOut=${signedOut}></sessions-page>`,
  },
];

/** Puts a page into the frame that loads the code of operators' pages. */
function forOperators(page: unknown): unknown {
  return html`<operator-pages .page=${page}></operator-pages>`;
}

/** Returns the page for a path below BASE. */
export function pageAt(path: string): Page {
  for (const { path: pattern, title, render } of PAGES) {
    const match = pattern.exec(path);
    if (match) return { title, render: (shown) => render(shown, match[1] ?? '') };
  }
  return { title: 'Not found', render: () => NOT_FOUND };
}

const NOT_FOUND = html`<h1>Page not found</h1><p><a href="${BASE}/">Go to your clients</a></p>`;
