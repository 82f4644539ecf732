import path from 'node:path';

const packages = path.dirname(import.meta.dirname);
const conditions = ['zoetrope', 'node'];

/** What runs as a process or a thread of its own. */
const ENTRIES = [
  'server/src/main',
  'server/src/serve/thread',
  'server/src/embed/child/child',
  'server/src/enrich/captions/child',
  'server/src/enrich/looks/child',
  'server/src/enrich/rating/child',
  'server/src/index/load-thread',
  'server/src/media/worker/worker',
  'server/src/platform/relay/verify-thread',
  'starter/src/worker',
];

/** Brings native code along, or files that it looks for beside itself. */
const EXTERNAL = [
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

/** Entries are looked for in the bundle, and every other file of ours where it lies beside the sources. */
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
  if (!ENTRIES.includes(entry)) throw new Error(`${file} starts ${entry}, which is no entry of vite.config.ts`);
  return `new URL('./${nameOf(entry)}.mjs', import.meta.url)`;
}

/** The service in a few files. To find its seventeen hundred takes half a second, whenever something is started. */
export default {
  root: import.meta.dirname,
  plugins: [ownFiles],
  resolve: { conditions },
  ssr: { noExternal: true, external: EXTERNAL, resolve: { conditions } },
  build: {
    ssr: true,
    outDir: 'bundle',
    target: 'node24',
    minify: false,
    rolldownOptions: {
      input: Object.fromEntries(ENTRIES.map((entry) => [nameOf(entry), path.join(packages, `${entry}.ts`)])),
      output: { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
    },
  },
};
