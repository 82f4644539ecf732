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
    // These browsers know `light-dark`, which tokens.css uses too. For older ones, Vite replaces it by variables that the
    // theme of tokens.css does not set.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    license: { fileName: 'licenses.md' },
  },
};
