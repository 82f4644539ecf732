import { createRequire } from 'node:module';
import path from 'node:path';

/** One of what Vite makes; only what is used here of its types, as it is installed beside the tools. */
interface Vite {
  build(options: object): Promise<{ output: { code?: string }[] }[]>;
}

/** A module and all it imports as one file, minified as apps do. */
export async function bundle(entry: string): Promise<string> {
  const require = createRequire(path.resolve('tools/web/package.json'));
  const vite = (await import(require.resolve('vite'))) as Vite;
  const [result] = await vite.build({
    configFile: false,
    logLevel: 'silent',
    resolve: { conditions: ['zoetrope', 'browser', 'module', 'import', 'default'] },
    build: { write: false, target: 'es2022', lib: { entry: path.resolve(entry), formats: ['es'] }, minify: true },
  });
  return result!.output.map(({ code }) => code ?? '').join('');
}
