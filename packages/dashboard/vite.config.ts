/** The bundle that the service sends below /dashboard. */
export default {
  base: '/dashboard/',
  // The contract as it is written, so that nothing has to be compiled first.
  resolve: { conditions: ['zoetrope', 'browser', 'module', 'import', 'default'] },
  build: { target: 'es2022', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
};
