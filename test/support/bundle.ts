import { createRequire } from 'node:module';
import path from 'node:path';

/** The part of Vite that is used here. Its types are not installed with the tests. */
interface Vite {
  build(options: object): Promise<Output | Output[]>;
}
interface Output {
  output: { code?: string }[];
}

/** Bundles a module and all its imports into one minified file, as apps do. */
export function bundle(entry: string): Promise<string> {
  return build({
    configFile: false,
    resolve: { conditions: ['zoetrope', 'browser', 'module', 'import', 'default'] },
    build: { target: 'es2022', lib: { entry: path.resolve(entry), formats: ['es'] }, minify: true },
  });
}

/** Builds the file that the service sends as /gif-picker.js. */
export function pickerFile(): Promise<string> {
  return build({ root: 'packages/picker' });
}

async function build(options: {
  build?: object;
  configFile?: false;
  resolve?: object;
  root?: string;
}): Promise<string> {
  const require = createRequire(path.resolve('tools/web/package.json'));
  const vite = (await import(require.resolve('vite'))) as Vite;
  const built = await vite.build({ logLevel: 'silent', ...options, build: { ...options.build, write: false } });
  const [result] = [built].flat();
  return result!.output.map(({ code }) => code ?? '').join('');
}
