/** The one file that a page without a bundler takes from a service, as /gif-picker.js. */
export default {
  resolve: { conditions: ['zoetrope', 'browser', 'module', 'import', 'default'] },
  build: {
    target: 'es2022',
    outDir: 'bundle',
    modulePreload: false,
    rollupOptions: { input: 'src/index.ts', output: { entryFileNames: 'gif-picker.js' } },
  },
};
