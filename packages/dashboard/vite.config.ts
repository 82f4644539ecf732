import { fileURLToPath } from 'node:url';

const contract = fileURLToPath(new URL('../contract/src/', import.meta.url));

/** The bundle that the service sends below /dashboard. */
export default {
  base: '/dashboard/',
  // The contract as it is written, so that nothing has to be compiled first.
  resolve: {
    alias: [
      { find: '@zoetrope/contract/account', replacement: `${contract}account/index.ts` },
      { find: '@zoetrope/contract', replacement: `${contract}index.ts` },
    ],
  },
  build: { target: 'es2022', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
};
