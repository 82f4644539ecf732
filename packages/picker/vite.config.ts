/** Builds the single file that pages without a bundler load from a service as /gif-picker.js. */
export default {
  resolve: { conditions: ['zoetrope', 'browser', 'module', 'import', 'default'] },
  build: {
    target: 'es2022',
    outDir: 'bundle',
    license: { fileName: 'licenses.md' },
    modulePreload: false,
    rollupOptions: { input: 'src/index.ts', output: { entryFileNames: 'gif-picker.js' } },
  },
};
