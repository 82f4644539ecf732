import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ChildMessage, EngineOptions, Rows, RunMessage } from './protocol.ts';

/** The engine said that it failed; `operator` when it will until the operator does what the message says. */
export class EngineFailure extends Error {
  override readonly name = 'EngineFailure';
  readonly operator: boolean;

  constructor(message: string, operator: boolean) {
    super(message);
    this.operator = operator;
  }
}

/** The process ended, or was ended because it did not answer. */
export class ProcessDied extends Error {
  override readonly name = 'ProcessDied';
}

/** The process that embeds; it does one run at a time. */
export class EmbedderProcess {
  readonly #child: ChildProcess;
  readonly #exited = Promise.withResolvers<void>();
  #waiting: PromiseWithResolvers<Rows | null> | null = null;
  #late: NodeJS.Timeout | undefined;
  #death: ProcessDied | null = null;
  #lastWords = '';
  #why = '';

  constructor() {
    this.#child = fork(fileURLToPath(new URL('./child.ts', import.meta.url)), [], {
      execArgv: [
        '--conditions=zoetrope',
        '--disable-warning=ExperimentalWarning',
        '--max-semi-space-size=2', // MiB; the default lets garbage grow to 170 MB more and is no faster
      ],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      serialization: 'advanced',
      env: pick(['PATH', 'LD_LIBRARY_PATH', 'SystemRoot', 'TMPDIR']), // no secret of the service
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#lastWords = (this.#lastWords + text).slice(-500);
    });
    this.#child.on('message', (message) => this.#hear(message as ChildMessage));
    this.#child.on('error', (error) => {
      this.#child.kill('SIGKILL');
      this.#bury(error.message);
    });
    this.#child.on('exit', (code, signal) => this.#bury(`it ended with ${signal ?? code}`));
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** What the process died of; null while it lives. */
  get death(): ProcessDied | null {
    return this.#death;
  }

  /** Settles when the process is gone. */
  get exited(): Promise<void> {
    return this.#exited.promise;
  }

  /** Loads the engine, before the first run. Rejects with EngineFailure or ProcessDied. */
  async load(engine: EngineOptions, limitMs: number): Promise<void> {
    await this.#ask(engine, limitMs);
  }

  /** The vectors of texts. Rejects with EngineFailure or ProcessDied; after `limitMs` the process is killed. */
  async run({ kind, texts }: RunMessage, limitMs: number): Promise<Rows> {
    return (await this.#ask({ kind, texts }, limitMs))!;
  }

  /** Ends the process, whatever it does; settles when it is gone. */
  end(): Promise<void> {
    this.#child.kill('SIGKILL');
    return this.#exited.promise;
  }

  #ask(message: EngineOptions | RunMessage, limitMs: number): Promise<Rows | null> {
    if (this.#death !== null) return Promise.reject(this.#death);
    this.#waiting = Promise.withResolvers();
    this.#late = setTimeout(() => {
      this.#why = `it did not answer within ${limitMs} ms`;
      this.#child.kill('SIGKILL');
    }, limitMs);
    const { promise } = this.#waiting;
    this.#child.send(message, (error) => {
      if (error !== null) this.#child.kill('SIGKILL');
    });
    return promise;
  }

  #hear(message: ChildMessage): void {
    const waiting = this.#stop();
    if (message.type === 'loaded') waiting?.resolve(null);
    else if (message.type === 'done') waiting?.resolve(message.rows);
    else waiting?.reject(new EngineFailure(message.message, message.operator));
  }

  #bury(how: string): void {
    this.#death ??= new ProcessDied(`the process died: ${this.#why || how}. ${this.#lastWords}`.trim());
    this.#stop()?.reject(this.#death);
    this.#exited.resolve();
  }

  #stop(): PromiseWithResolvers<Rows | null> | null {
    const waiting = this.#waiting;
    clearTimeout(this.#late);
    this.#waiting = null;
    return waiting;
  }
}

function pick(names: string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(names.filter((name) => name in process.env).map((name) => [name, process.env[name]]));
}
