import type { Fault } from '../fault.ts';

/** Faults in the packages that apps and people use, chosen before their tests were read. */
export const APPS: readonly Fault[] = [
  {
    id: 'client-500-is-final',
    file: 'packages/client/src/errors.ts',
    from: '(this.status ?? 0) >= 500',
    to: '(this.status ?? 0) > 500',
    breaks: 'Apps are told that a search which failed because of an internal error can never succeed.',
    tests: ['packages/client/src/client.test.ts', 'packages/client/src/session.test.ts'],
  },
  {
    id: 'client-imeta-one-line',
    file: 'packages/client/src/imeta.ts',
    from: '/^(\\S+) (.*)$/s.exec(field)',
    to: '/^(\\S+) (.*)$/.exec(field)',
    breaks: 'Alt texts with several lines, which other apps wrote into a note, are lost.',
    tests: ['packages/client/src/imeta.test.ts', 'test/integration/notes.test.ts'],
  },
  {
    id: 'picker-react-first-callback',
    file: 'packages/picker/src/react.ts',
    from: '}, [onPick, onClose]);',
    to: '}, []);',
    breaks: 'In React, a picked GIF goes to the callback of the first rendering, so an app overwrites newer state.',
    tests: ['test/packages/packages.test.ts', 'test/e2e/picker.test.ts'],
  },
  {
    id: 'picker-placeholder-stays',
    file: 'packages/picker/src/view/tile.ts',
    from: 'loaded.size === 0 && PLACEHOLDER.test',
    to: 'PLACEHOLDER.test',
    breaks: 'Behind a transparent GIF, the blurred placeholder stays visible.',
    tests: ['test/e2e/picture-order.test.ts'],
  },
  {
    id: 'dashboard-late-answer-wins',
    file: 'packages/dashboard/src/parts/loaded.ts',
    from: 'if (turn === this.#turn) this.set(value);',
    to: 'this.set(value);',
    breaks: 'If an operator quickly opens two lists of GIFs, the slower answer appears under the other heading.',
    tests: ['test/e2e/moderation.test.ts', 'test/e2e/dashboard.test.ts', 'test/e2e/dashboard-service.test.ts'],
  },
  {
    id: 'dashboard-older-of-all-clients',
    file: 'packages/dashboard/src/review/audit-section.ts',
    from: '{ ...this.#query, before:',
    to: '{ before:',
    breaks: 'Show older adds the entries of all clients to the history of one client, or to a search of the log.',
    tests: ['test/e2e/dashboard.test.ts', 'test/e2e/dashboard-service.test.ts'],
  },
  {
    id: 'contract-similar-bounds-of-search',
    file: 'packages/contract/src/similar.ts',
    from: 'maximum: LIMITS.similarLimitMax',
    to: 'maximum: LIMITS.searchLimitMax',
    breaks: 'A caller who asks for 200 similar GIFs gets more than the contract allows, instead of an error.',
    tests: [
      'test/conformance/similar.test.ts',
      'test/conformance/limits.test.ts',
      'packages/contract/src/read-query.test.ts',
      'test/openapi/description.test.ts',
    ],
  },
  {
    id: 'starter-one-never-drawn',
    file: 'packages/starter/src/catalogue/catalogue.ts',
    from: 'ranked.slice(FIRST);',
    to: 'ranked.slice(FIRST + 1);',
    breaks: 'One of the starter GIFs is never drawn, because it belongs to neither part of the catalogue.',
    tests: [
      'packages/starter/src/catalogue/catalogue.test.ts',
      'packages/starter/src/starter.test.ts',
      'test/integration/starter.test.ts',
      'test/integration/first-start.test.ts',
    ],
  },
];
