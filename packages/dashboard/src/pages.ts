import type { Account, Site } from '@zoetrope/contract/account';
import { html, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import './clients/clients-page.ts';
import './clients/register-page.ts';
import './clients/pay-page.ts';
import './client/client-page.ts';
import './console/operator-pages.ts';
import './notices-page.ts';
import './sessions-page.ts';
import './uploads-frame.ts';
import { TABS } from './client/tabs.ts';
import { BASE } from './navigation.ts';
import { type ENGLISH, say } from './words/owners.ts';
import type { PlainKey } from './words/texts.ts';

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

/** The key of a page's title. */
type Title = PlainKey<typeof ENGLISH>;

const PAGES: ReadonlyArray<{
  path: RegExp;
  title: Title;
  /** Whether the page is a tab of a client's page. */
  isTab?: boolean;
  /** Who can open the page, if not everybody. Others are told that there is no such page. */
  only?: 'operators' | 'members';
  render: (shown: PageContext, id: string) => unknown;
}> = [
  {
    path: /^$/,
    title: 'clients',
    render: ({ site }) => html`<clients-page .site=${site}></clients-page>`,
  },
  {
    path: /^\/register$/,
    title: 'register',
    render: ({ site }) => html`<register-page .site=${site}></register-page>`,
  },
  ...TABS.map(({ path, title }) => ({
    path: new RegExp(`^/clients/([\\w-]+)${path}$`),
    title: path === '' ? ('client' as const) : title,
    isTab: path !== '',
    render: ({ site, account }: PageContext, id: string) =>
      keyed(id, html`<client-page .site=${site} .account=${account} .clientId=${id} .tab=${path}></client-page>`),
  })),
  {
    path: /^\/clients\/([\w-]+)\/pay$/,
    title: 'pay',
    render: ({ site }, id) => keyed(id, html`<pay-page .site=${site} .clientId=${id}></pay-page>`),
  },
  {
    path: /^\/review$/,
    title: 'overview',
    only: 'operators',
    render: () => html`<overview-page></overview-page>`,
  },
  {
    path: /^\/review\/catalogue$/,
    title: 'catalogue',
    only: 'operators',
    render: () => html`<catalogue-page></catalogue-page>`,
  },
  {
    // Earlier versions had the reports at /review/gifs.
    path: /^\/review\/(?:queue|gifs)$/,
    title: 'queue',
    only: 'operators',
    render: () => html`<queue-page></queue-page>`,
  },
  {
    path: /^\/review\/gifs\/([\w.-]+)$/,
    title: 'gif',
    only: 'operators',
    render: (_, id) => keyed(id, html`<moderated-gif-page .gifId=${id}></moderated-gif-page>`),
  },
  {
    path: /^\/review\/clients$/,
    title: 'allClients',
    only: 'operators',
    render: () => html`<review-page></review-page>`,
  },
  {
    path: /^\/review\/clients\/([\w-]+)$/,
    title: 'client',
    only: 'operators',
    render: (_, id) => keyed(id, html`<reviewed-client-page .clientId=${id}></reviewed-client-page>`),
  },
  {
    path: /^\/review\/jobs$/,
    title: 'jobs',
    only: 'operators',
    render: () => html`<jobs-page></jobs-page>`,
  },
  {
    path: /^\/review\/jobs\/(\d+)$/,
    title: 'import',
    only: 'operators',
    render: (_, id) => keyed(id, html`<import-page .importId=${id}></import-page>`),
  },
  {
    path: /^\/review\/sources$/,
    title: 'sources',
    only: 'operators',
    render: () => html`<sources-page></sources-page>`,
  },
  {
    path: /^\/review\/builds$/,
    title: 'builds',
    only: 'operators',
    render: () => html`<builds-page></builds-page>`,
  },
  {
    path: /^\/review\/backups$/,
    title: 'backups',
    only: 'operators',
    render: () => html`<backups-page></backups-page>`,
  },
  {
    path: /^\/review\/languages$/,
    title: 'languages',
    only: 'operators',
    render: () => html`<languages-page></languages-page>`,
  },
  {
    path: /^\/review\/settings$/,
    title: 'settings',
    only: 'operators',
    render: () => html`<settings-page></settings-page>`,
  },
  {
    path: /^\/review\/audit$/,
    title: 'activity',
    only: 'operators',
    render: () => html`<audit-page></audit-page>`,
  },
  {
    path: /^\/notices$/,
    title: 'notices',
    render: ({ site, account }) => html`<notices-page .site=${site} .account=${account}></notices-page>`,
  },
  {
    path: /^\/uploads$/,
    title: 'uploads',
    only: 'members',
    render: () => html`<uploads-frame></uploads-frame>`,
  },
  {
    path: /^\/sessions$/,
    title: 'sessions',
    render: ({ signedOut }) => html`<sessions-page .signedOut=${signedOut}></sessions-page>`,
  },
];

/** Returns an account's page for a path below BASE. */
export function pageAt(path: string, { isOperator, isMember }: Account): Page {
  for (const { path: pattern, title, isTab, only, render } of PAGES) {
    if ((only === 'operators' && !isOperator) || (only === 'members' && !isMember)) continue;
    const match = pattern.exec(path);
    if (match)
      return {
        title: isTab ? say('clientTab', { tab: say(title) }) : say(title),
        render: (shown) => {
          const page = render(shown, match[1] ?? '');
          // The frame loads the code of operators' pages.
          return only === 'operators' ? html`<operator-pages .page=${page}></operator-pages>` : page;
        },
      };
  }
  return { title: say('notFound'), render: renderNotFound };
}

function renderNotFound(): TemplateResult {
  return html`<h1>${say('pageNotFound')}</h1><p><a href="${BASE}/">${say('toClients')}</a></p>`;
}
