import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const sources = path.join(import.meta.dirname, 'src');
const { isolatedDeclarationSync } = createRequire(path.join(import.meta.dirname, '../../tools/web/package.json'))(
  'rolldown/experimental',
);

/**
 * Writes the types into one file. The modules import only from each other, and a test compiles the result, so it is enough
 * to join their declarations and to export what `index.ts` and `served.ts` export.
 */
const types = {
  name: 'types',
  generateBundle(this: { emitFile(file: { type: 'asset'; fileName: string; source: string }): void }) {
    const names = fs.readdirSync(sources).filter((name) => /^(?!index|served)[^.]+\.ts$/.test(name));
    const declarations = names.map((name) =>
      declarationsOf(name)
        .replace(/^(?:import .*|export \{\});\n/gm, '')
        .replace(/^export (?:declare )?/gm, 'declare '),
    );
    const exporting = declarationsOf('index.ts') + declarationsOf('served.ts');
    const exported = [...exporting.matchAll(/^export (type )?\{([^}]*)\}/gm)].map(
      ([, kind = '', list]) =>
        `export { ${list!
          .trim()
          .split(/,\s*/)
          .map((name) => `${kind}${name}`)
          .join(', ')} };`,
    );
    this.emitFile({
      type: 'asset',
      fileName: 'gif-client.d.ts',
      source: [...declarations, ...exported, ''].join('\n'),
    });
  },
};

function declarationsOf(name: string): string {
  const { code, errors } = isolatedDeclarationSync(name, fs.readFileSync(path.join(sources, name), 'utf8'));
  if (errors.length > 0) throw new Error(`${name}: ${errors[0].message}`);
  return code;
}

/** Builds the single file that pages and programs without a bundler load from a service as /gif-client.js. */
export default {
  root: import.meta.dirname,
  plugins: [types],
  build: {
    target: 'es2022',
    outDir: 'bundle',
    sourcemap: true,
    lib: { entry: 'src/served.ts', formats: ['es'], fileName: () => 'gif-client.js' },
  },
};
