/** The tabs of a client's page, each with the key of its title. `path` is the end of the tab's URL, after the client's id. */
export const TABS = [
  { path: '', title: 'start' },
  { path: '/access', title: 'access' },
  { path: '/usage', title: 'usage' },
  { path: '/people', title: 'people' },
  { path: '/settings', title: 'settings' },
] as const;

export type Tab = (typeof TABS)[number]['path'];
