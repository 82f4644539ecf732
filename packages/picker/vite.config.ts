/**
 * Builds the file that pages without a bundler load from a service as /gif-picker.js, and beside it one file for each
 * language other than English.
 */
export default {
  resolve: { conditions: ['zoetrope', 'browser', 'module', 'import', 'default'] },
  plugins: [
    {
      name: 'shorten styles',
      transform: (code: string, id: string) => (id.endsWith('/styles.ts') ? code.replace(/\n\s+/g, '\n') : undefined),
    },
  ],
  build: {
    target: 'es2022',
    outDir: 'bundle',
    license: { fileName: 'licenses.md' },
    modulePreload: false,
    rollupOptions: {
      input: 'src/index.ts',
      output: { entryFileNames: 'gif-picker.js', chunkFileNames: 'gif-picker-[name].js' },
    },
  },
};
