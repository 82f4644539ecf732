import { createRequire } from 'node:module';
import path from 'node:path';

/** The part of Vite that is used here. Its types are not installed with the tests. */
interface Vite {
  build(options: object): Promise<Output | Output[]>;
}
interface Output {
  output: { fileName: string; code?: string }[];
}

const ONE_FILE = { rollupOptions: { output: { codeSplitting: false } } };

/** Bundles a module and all its imports into one minified file, like an app. */
export async function bundle(entry: string): Promise<string> {
  const [file] = await build({
    configFile: false,
    resolve: { conditions: ['zoetrope', 'browser', 'module', 'import', 'default'] },
    build: { target: 'es2022', lib: { entry: path.resolve(entry), formats: ['es'] }, minify: true, ...ONE_FILE },
  });
  return file!.code;
}

/** Builds the picker in the form in which the service sends it. @returns the scripts by their names */
export async function pickerFiles(): Promise<Map<string, string>> {
  const files = await build({ root: 'packages/picker' });
  return new Map(files.map(({ fileName, code }) => [fileName, code]));
}

/** Builds with Vite. @returns the scripts, the main script first */
async function build(options: {
  build?: object;
  configFile?: false;
  resolve?: object;
  root?: string;
}): Promise<{ fileName: string; code: string }[]> {
  const require = createRequire(path.resolve('tools/web/package.json'));
  const vite = (await import(require.resolve('vite'))) as Vite;
  const built = await vite.build({ logLevel: 'silent', ...options, build: { ...options.build, write: false } });
  const [result] = [built].flat();
  return result!.output.flatMap(({ fileName, code }) => (code === undefined ? [] : [{ fileName, code }]));
}
