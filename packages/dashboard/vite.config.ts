/** The bundle that the service sends below /dashboard. */
export default {
  base: '/dashboard/',
  // Only the page has absolute URLs. The service adds the path of its public URL to them.
  experimental: {
    renderBuiltUrl: (_: string, { hostType }: { hostType: string }) => ({ relative: hostType !== 'html' }),
  },
  // Uses the sources of the contract, so that nothing has to be compiled first.
  resolve: { conditions: ['zoetrope', 'browser', 'module', 'import', 'default'] },
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    license: { fileName: 'licenses.md' },
  },
};
