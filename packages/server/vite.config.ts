import path from 'node:path';

const packages = path.dirname(import.meta.dirname);
const conditions = ['zoetrope', 'node'];

/** The entry points of processes and threads. */
const ENTRIES = [
  'server/src/main',
  'server/src/serve/thread/thread',
  'server/src/embed/child/child',
  'server/src/enrich/captions/child',
  'server/src/enrich/looks/child',
  'server/src/enrich/rating/child',
  'server/src/builds/load-thread',
  'server/src/media/worker/worker',
  'server/src/platform/relay/verify-thread',
  'starter/src/worker',
];

/** Libraries that contain native code, or files that they look for next to themselves. */
export const EXTERNAL = [
  '@gutenye/ocr-node',
  '@napi-rs/webcodecs',
  'better-sqlite3',
  'mediabunny',
  'nostr-wasm',
  'onnxruntime-node',
  'pg',
  'pino',
  'sharp',
];

const nameOf = (entry: string): string => entry.replace('server/src/', '').replace('/src/', '/').replaceAll('/', '-');

/** In the bundle, the URLs of entry points lead to the bundle, and those of all other files to the sources. */
const ownFiles = {
  name: 'own-files',
  enforce: 'pre' as const,
  transform(code: string, id: string): string | null {
    const file = path.relative(packages, id).replaceAll('\\', '/');
    if (!/^\w+\/src\//.test(file) || !code.includes('import.meta.url')) return null;
    const here = `new URL(${JSON.stringify(`../../${file}`)}, import.meta.url).href`;
    return code
      .split(/(new URL\('\.[^']+\.ts', import\.meta\.url\))/)
      .map((part, n) => (n % 2 === 0 ? part.replaceAll('import.meta.url', here) : entryAddress(part, file)))
      .join('');
  },
};

function entryAddress(expression: string, file: string): string {
  const entry = path.posix.join(
    path.posix.dirname(file),
    expression.slice("new URL('".length, expression.indexOf('.ts')),
  );
  if (!ENTRIES.includes(entry)) throw new Error(`${file} starts ${entry}, which is not in ENTRIES of vite.config.ts`);
  return `new URL('./${nameOf(entry)}.mjs', import.meta.url)`;
}

/**
 * An `import` of one of these modules reads all its exports, and with them it loads Node's WebSocket or Web Crypto. That
 * takes 10 to 20 ms in each process and thread, so the bundle gets the module from a function.
 */
const SLOW_IMPORTS = ['node:crypto', 'node:http'];
const builtIns = {
  name: 'built-ins',
  enforce: 'pre' as const,
  resolveId(id: string, importer = ''): string | null {
    const isOurs = /^\w+\/src\//.test(path.relative(packages, importer).replaceAll('\\', '/'));
    return isOurs && SLOW_IMPORTS.includes(id) ? `\0${id}` : null;
  },
  load(id: string): string | null {
    const name = id.slice(1);
    if (!id.startsWith('\0') || !SLOW_IMPORTS.includes(name)) return null;
    const exports = Object.getOwnPropertyDescriptors(process.getBuiltinModule(name));
    const names = Object.keys(exports).filter((key) => exports[key]!.get === undefined);
    const consts = names.map((key) => `export const ${key} = /* @__PURE__ */ (() => builtIn.${key})();`);
    return [`const builtIn = process.getBuiltinModule('${name}');`, 'export default builtIn;', ...consts].join('\n');
  },
};

/**
 * Writes characters outside ASCII as escape sequences. Each process and thread keeps the text of its code in memory, with
 * two bytes a character if a single one of a file needs them.
 */
const ascii = {
  name: 'ascii',
  generateBundle(_: unknown, files: Record<string, { code?: string }>): void {
    for (const file of Object.values(files)) {
      file.code &&= file.code.replace(/(\\*)([^\0-\x7F])/g, (_match, slashes: string, unit: string) => {
        const even = slashes.length % 2 === 0 ? slashes : slashes.slice(1);
        return `${even}\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
      });
    }
  },
};

/** Bundles the service into a few files, because finding its 1,700 files takes half a second at every start. */
export default {
  root: import.meta.dirname,
  plugins: [builtIns, ownFiles, ascii],
  resolve: { conditions },
  ssr: { noExternal: true, external: EXTERNAL, resolve: { conditions } },
  build: {
    ssr: true,
    outDir: 'bundle',
    license: { fileName: 'licenses.md' },
    target: 'node24',
    minify: false,
    rolldownOptions: {
      input: Object.fromEntries(ENTRIES.map((entry) => [nameOf(entry), path.join(packages, `${entry}.ts`)])),
      output: {
        entryFileNames: '[name].mjs',
        chunkFileNames: '[name]-[hash].mjs',
        // The licences of the libraries are in licenses.md.
        comments: { legal: false, jsdoc: false },
      },
    },
  },
};
