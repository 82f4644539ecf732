import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Reply } from './protocol.ts';

/** Loading takes a second or two; what takes a minute never ends. */
const START_MS = 60_000;

/** The process ended, or was ended because it did not answer. */
export class ProcessDied extends Error {
  override readonly name = 'ProcessDied';
}

/** The process cannot do its work, and another would say the same. */
export class ProcessFailed extends Error {
  override readonly name = 'ProcessFailed';
}

/** What a process runs, and where it finds its files. */
export interface Program {
  readonly entry: URL;
  readonly args: readonly string[];
}

/** What a process answered, and the memory it has taken by now. */
interface Answered<Result> {
  readonly result: Result;
  readonly rssBytes: number;
}

/** A process with a model in it; it does one request at a time. */
export class ModelProcess<Request extends object, Result> {
  readonly #child: ChildProcess;
  readonly #exited = Promise.withResolvers<void>();
  readonly #ready = Promise.withResolvers<void>();
  #waiting: PromiseWithResolvers<Answered<Result>> | null = null;
  #late: NodeJS.Timeout;
  #lastWords = '';
  #death: ProcessDied | null = null;

  constructor({ entry, args }: Program) {
    this.#child = fork(fileURLToPath(entry), [...args], {
      // What its models take lies outside of this heap.
      execArgv: ['--conditions=zoetrope', '--disable-warning=ExperimentalWarning', '--max-old-space-size=256'],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      serialization: 'advanced',
      env: pick(['PATH', 'LD_LIBRARY_PATH', 'SystemRoot', 'TMPDIR']), // no secret of the service
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#lastWords = (this.#lastWords + text).slice(-500);
    });
    this.#child.on('message', (reply) => this.#hear(reply as Reply<Result>));
    this.#child.on('error', (error) => {
      this.#child.kill('SIGKILL');
      this.#bury(error.message);
    });
    this.#child.on('exit', (code, signal) => this.#bury(`it ended with ${signal ?? code}`));
    this.#late = this.#expire(START_MS);
    this.#ready.promise.catch(() => {}); // whoever has a request is told
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Settles when the process can take its first request. Rejects with ProcessFailed or ProcessDied. */
  ready(): Promise<void> {
    return this.#ready.promise;
  }

  /** Asks it. Rejects with ProcessFailed or ProcessDied; after `limitMs` the process is killed. */
  ask(request: Request, limitMs: number): Promise<Answered<Result>> {
    if (this.#death !== null) return Promise.reject(this.#death);
    this.#waiting = Promise.withResolvers();
    const { promise } = this.#waiting;
    this.#late = this.#expire(limitMs);
    this.#child.send(request, (error) => {
      if (error !== null) this.#child.kill('SIGKILL');
    });
    return promise;
  }

  /** Ends the process, whatever it does; settles when it is gone. */
  end(): Promise<void> {
    this.#child.kill('SIGKILL');
    return this.#exited.promise;
  }

  #expire(limitMs: number): NodeJS.Timeout {
    return setTimeout(() => {
      this.#lastWords = `it did not answer within ${limitMs} ms`;
      this.#child.kill('SIGKILL');
    }, limitMs);
  }

  #hear(reply: Reply<Result>): void {
    clearTimeout(this.#late);
    if (reply.type === 'loaded') this.#ready.resolve();
    else if (reply.type === 'broken') this.#ready.reject(new ProcessFailed(reply.message));
    else if (reply.type === 'done') this.#waiting?.resolve(reply);
    else this.#waiting?.reject(new ProcessFailed(reply.message));
  }

  #bury(how: string): void {
    clearTimeout(this.#late);
    this.#death ??= new ProcessDied(`the process died: ${how}. ${this.#lastWords}`.trim());
    this.#ready.reject(this.#death);
    this.#waiting?.reject(this.#death);
    this.#exited.resolve();
  }
}

function pick(names: string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(names.filter((name) => name in process.env).map((name) => [name, process.env[name]]));
}
