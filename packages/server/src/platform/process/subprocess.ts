import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** A file of the service that runs in a separate process. */
export interface Program {
  readonly entry: URL;
  readonly args?: readonly string[];
  /** Additional flags of Node. Every process of the service also has the common flags. */
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Wraps the command in another command, such as a shell that sets limits first. */
  readonly wrap?: (command: readonly string[]) => readonly string[];
}

/**
 * The error if the process ended, or was killed because it did not respond in time. The message contains the process's
 * last output.
 */
export class ProcessDied extends Error {
  override readonly name = 'ProcessDied';
  readonly isLate: boolean;

  constructor(message: string, isLate: boolean) {
    super(message);
    this.isLate = isLate;
  }
}

interface Waiting<Received> extends PromiseWithResolvers<Received> {
  isAnswer(heard: Received): boolean;
  readonly timer: NodeJS.Timeout;
}

/** Maximum number of characters that are kept from the end of the process's standard error. */
const LAST_WORDS = 500;
/** The service passes only these of its environment variables to its processes. None of them is a secret. */
const SHARED_ENVIRONMENT = ['PATH', 'LD_LIBRARY_PATH', 'SystemRoot', 'TMPDIR'];

/** A process that responds to one message at a time. It is killed if it does not respond in time. */
export class Subprocess<Sent extends object, Heard> {
  readonly #child: ChildProcess;
  readonly #exited = Promise.withResolvers<void>();
  #waiting: Waiting<Heard> | null = null;
  #death: ProcessDied | null = null;
  #lastWords = '';
  /** The time limit that the process exceeded, in milliseconds. */
  #lateMs: number | null = null;

  constructor(program: Program) {
    this.#child = start(program);
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#lastWords = (this.#lastWords + text).slice(-LAST_WORDS);
    });
    this.#child.on('message', (heard) => this.#receive(heard as Heard));
    this.#child.on('error', (error) => {
      this.#child.kill('SIGKILL');
      this.#bury(error.message);
    });
    this.#child.on('exit', (code, signal) => this.#bury(`it ended with ${signal ?? code}`));
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Returns the reason why the process died, or null while it runs. */
  get death(): ProcessDied | null {
    return this.#death;
  }

  /** Settles when the process has exited. */
  get exited(): Promise<void> {
    return this.#exited.promise;
  }

  /**
   * Sends a message, and waits for the response as `hear` does.
   * @throws ProcessDied
   */
  ask(message: Sent, limitMs: number, isAnswer?: (heard: Heard) => boolean): Promise<Heard> {
    const answer = this.hear(limitMs, isAnswer);
    if (this.#death === null) {
      this.#child.send(message, (error) => {
        if (error !== null) this.#child.kill('SIGKILL');
      });
    }
    return answer;
  }

  /**
   * Waits for the next message of the process.
   * @param limitMs time limit. If the process sends nothing for longer, it is killed.
   * @param isAnswer called with each message. The first message for which it returns true is the response.
   * @throws ProcessDied
   */
  hear(limitMs: number, isAnswer: (heard: Heard) => boolean = () => true): Promise<Heard> {
    if (this.#death !== null) return Promise.reject(this.#death);
    const timer = setTimeout(() => {
      this.#lateMs = limitMs;
      this.#child.kill('SIGKILL');
    }, limitMs);
    this.#waiting = { ...Promise.withResolvers<Heard>(), isAnswer, timer };
    return this.#waiting.promise;
  }

  /** Kills the process. Settles when the process has exited. */
  end(): Promise<void> {
    this.#child.kill('SIGKILL');
    return this.#exited.promise;
  }

  #receive(heard: Heard): void {
    if (this.#waiting?.isAnswer(heard)) this.#stopWaiting()?.resolve(heard);
    else this.#waiting?.timer.refresh();
  }

  #bury(how: string): void {
    const why = this.#lateMs === null ? how : `it did not respond within ${this.#lateMs} ms`;
    this.#death ??= new ProcessDied(`the process died: ${why}. ${this.#lastWords}`.trim(), this.#lateMs !== null);
    this.#stopWaiting()?.reject(this.#death);
    this.#exited.resolve();
  }

  #stopWaiting(): Waiting<Heard> | null {
    const waiting = this.#waiting;
    if (waiting !== null) clearTimeout(waiting.timer);
    this.#waiting = null;
    return waiting;
  }
}

/**
 * Returns a shell command that runs "$@" in place of the shell, at a lower priority if the system can do this.
 * @param level as for the command `nice`; 19 is the lowest priority
 */
export function execNice(level: number): string {
  return `if command -v nice >/dev/null; then exec nice -n ${level} "$@"; else exec "$@"; fi`;
}

function start({ entry, args = [], flags = [], env = {}, wrap }: Program): ChildProcess {
  const node = [process.execPath, '--conditions=zoetrope', '--disable-warning=ExperimentalWarning', ...flags];
  const command = [...node, fileURLToPath(entry), ...args];
  const [file, ...rest] = wrap?.(command) ?? command;
  const shared = SHARED_ENVIRONMENT.filter((name) => name in process.env).map((name) => [name, process.env[name]]);
  return spawn(file!, rest, {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
    env: { ...Object.fromEntries(shared), ...env },
  });
}
