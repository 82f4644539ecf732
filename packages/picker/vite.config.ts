/** Removes indentation, because the minifier keeps it in templates. */
function shorten(code: string): string {
  return code.replace(/\n\s+/g, '\n');
}

/** Also removes comments, and white space that has no meaning in styles. */
function shortenStyles(code: string): string {
  const bare = code.replace(/\/\*[\s\S]*?\*\//g, '');
  return shorten(bare).replace(/ (?=\{)|(?<=[:,]) |;\n?(?=\})|(?<=[;,{}])\n/g, '');
}

/**
 * Builds the file that pages without a bundler load from a service as /gif-picker.js, and beside it one file for each
 * language other than English, one with the menu and the details, and one with what is rarely done with favourites.
 */
export default {
  resolve: { conditions: ['zoetrope', 'browser', 'module', 'import', 'default'] },
  plugins: [
    {
      name: 'shorten templates',
      transform: (code: string, id: string) => {
        if (id.endsWith('/styles.ts')) return shortenStyles(code);
        return id.includes('/picker/src/') ? shorten(code) : undefined;
      },
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
