import type { Target } from './target.ts';

/**
 * All targets, by name. Their modules are loaded only if they are used. The numbers of inputs come from measurements,
 * so that a turn takes about a second.
 */
export const TARGETS: Readonly<Record<string, Target>> = {
  gif: {
    ...{ turn: 60, together: 2, limitMs: 60_000 },
    open: async () => (await import('./targets/media.ts')).openGif(),
  },
  webp: {
    ...{ turn: 60, together: 2, limitMs: 60_000 },
    open: async () => (await import('./targets/media.ts')).openWebp(),
  },
  rows: {
    ...{ turn: 5_000, together: 1 },
    open: async (setup) => (await import('./targets/rows.ts')).openRows(setup),
  },
  events: {
    ...{ turn: 5_000, together: 1 },
    open: async (setup) => (await import('./targets/events.ts')).openEvents(setup),
  },
  queries: {
    ...{ turn: 500, together: 16, needsService: true },
    open: async (setup) => (await import('./targets/requests.ts')).openQueries(setup),
  },
  headers: {
    ...{ turn: 500, together: 16, needsService: true },
    open: async (setup) => (await import('./targets/requests.ts')).openHeaders(setup),
  },
  reports: {
    ...{ turn: 200, together: 8, needsService: true },
    open: async (setup) => (await import('./targets/requests.ts')).openReports(setup),
  },
  dashboard: {
    ...{ turn: 60, together: 4 },
    open: async () => (await import('./targets/dashboard.ts')).openDashboard(),
  },
  nip05: {
    ...{ turn: 100, together: 8 },
    open: async () => (await import('./targets/nip05.ts')).openNip05(),
  },
  wallets: {
    ...{ turn: 100, together: 8 },
    open: async () => (await import('./targets/wallets.ts')).openWallets(),
  },
};
