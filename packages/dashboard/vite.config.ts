/** The bundle that the service sends below /dashboard. */
export default {
  base: '/dashboard/',
  // Uses the sources of the contract, so that nothing has to be compiled first.
  resolve: { conditions: ['zoetrope', 'browser', 'module', 'import', 'default'] },
  build: { target: 'es2022', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
};
