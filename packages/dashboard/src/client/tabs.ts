/** The tabs of a client's page. `path` is the end of the tab's URL, after the client's id. */
export const TABS = [
  { path: '', title: 'Start' },
  { path: '/access', title: 'Access' },
  { path: '/usage', title: 'Usage' },
  { path: '/people', title: 'People' },
  { path: '/settings', title: 'Settings' },
] as const;

export type Tab = (typeof TABS)[number]['path'];
