import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export const PUBLISHED = ['client', 'picker'] as const;
export const TOOLS = path.resolve('tools/packages/node_modules');

/**
 * A project that has the packages installed. The packages' dependencies are links to the dependencies of this
 * repository.
 */
export class App {
  readonly #folder: string;

  /** @param folder a new folder */
  static async install(folder: string): Promise<App> {
    const app = new App(folder);
    fs.mkdirSync(app.path, { recursive: true });
    await run(process.execPath, ['tools/pack.ts', folder, ...PUBLISHED]);
    await Promise.all(PUBLISHED.map((name) => app.#unpack(name)));
    app.#link(path.resolve('node_modules'), /^(@lit|lit.*)$/);
    app.#link(TOOLS, /^[^.]/);
    app.write('package.json', '{ "type": "module" }');
    return app;
  }

  private constructor(folder: string) {
    this.#folder = folder;
  }

  get path(): string {
    return path.join(this.#folder, 'app');
  }

  /** Returns the path of a package's archive. */
  archive(name: string): string {
    return fs.globSync(path.join(this.#folder, `zoetrope-${name}-*.tgz`))[0]!;
  }

  write(name: string, text: string): string {
    const file = path.join(this.path, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
    return file;
  }

  /** Copies one of the examples. @returns the folder of the copy */
  copyExample(name: string): string {
    const to = path.join(this.path, name);
    fs.cpSync(path.resolve('examples', name), to, { recursive: true });
    return to;
  }

  async #unpack(name: string): Promise<void> {
    const target = path.join(this.path, 'node_modules/@zoetrope', name);
    fs.mkdirSync(target, { recursive: true });
    await run('tar', ['-xzf', this.archive(name), '-C', target, '--strip-components=1']);
  }

  #link(from: string, names: RegExp): void {
    for (const name of fs.readdirSync(from).filter((entry) => names.test(entry))) {
      const to = path.join(this.path, 'node_modules', name);
      if (!fs.existsSync(to)) fs.symlinkSync(path.join(from, name), to);
    }
  }
}
