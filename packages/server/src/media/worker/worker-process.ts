import type { ChildProcess } from 'node:child_process';
import { MediaRefusal } from '../refusal.ts';
import type { Job, JobResult, Output, Usage, WorkerMessage } from './protocol.ts';
import { type Schedule, spawnWorker } from './spawn.ts';

/** A worker is replaced after so much use: decoders leak and fragment memory. */
const RETIRE_JOBS = 200;
const RETIRE_RSS_BYTES = 400_000_000;
const RETIRE_CPU_SECONDS = 600;

/** A process starts within half a second; one that does not within a minute never will. */
const START_MS = 60_000;

/** The process ended before its job; `stderr` holds its last words. */
export class WorkerDied extends Error {
  override readonly name = 'WorkerDied';
}

interface Running {
  readonly onOutput: (output: Output) => void;
  readonly resolve: (result: JobResult) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

/** One worker process, which does one job at a time. */
export class WorkerProcess {
  readonly #child: ChildProcess;
  readonly #exited = Promise.withResolvers<void>();
  readonly #ready = Promise.withResolvers<void>();
  #running: Running | null = null;
  #jobs = 0;
  #usage: Usage = { rssBytes: 0, cpuSeconds: 0 };
  #lastWords = '';
  #dead = false;

  constructor(memoryMib: number, schedule: Schedule) {
    this.#child = spawnWorker(memoryMib, schedule);
    const tooLate = setTimeout(() => this.#child.kill('SIGKILL'), START_MS).unref();
    // Whoever runs a job is told of a failure.
    this.#ready.promise.catch(() => {}).finally(() => clearTimeout(tooLate));
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#lastWords = (this.#lastWords + text).slice(-500);
    });
    this.#child.on('message', (message) => this.#hear(message as WorkerMessage));
    this.#child.on('error', (error) => {
      this.#child.kill('SIGKILL');
      this.#bury(error.message);
    });
    this.#child.on('exit', (code, signal) => this.#bury(`it ended with ${signal ?? code}`));
  }

  /** Settles when the process is gone. */
  get exited(): Promise<void> {
    return this.#exited.promise;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** True when the next job should go to a new process. */
  get worn(): boolean {
    const { rssBytes, cpuSeconds } = this.#usage;
    return this.#dead || this.#jobs >= RETIRE_JOBS || rssBytes > RETIRE_RSS_BYTES || cpuSeconds > RETIRE_CPU_SECONDS;
  }

  /** Settles when the process can take its first job; rejects with WorkerDied when it cannot be started. */
  ready(): Promise<void> {
    return this.#ready.promise;
  }

  /**
   * Does a job. Rejects with MediaRefusal (`timed_out` when `timeoutMs` pass without an output; the process is
   * killed then) or WorkerDied.
   */
  run(job: Job, timeoutMs: number, onOutput: (output: Output) => void): Promise<JobResult> {
    const { promise, resolve, reject } = Promise.withResolvers<JobResult>();
    if (this.#dead) return Promise.reject(new WorkerDied('the worker is dead'));
    const timer = setTimeout(() => this.#expire(timeoutMs), timeoutMs);
    this.#running = { onOutput, resolve, reject, timer };
    this.#jobs++;
    this.#child.send(job, (error) => {
      if (error !== null) this.#child.kill('SIGKILL');
    });
    return promise;
  }

  /** Ends the process, whatever it does; settles when it is gone. */
  end(): Promise<void> {
    this.#child.kill('SIGKILL');
    return this.#exited.promise;
  }

  #hear(message: WorkerMessage): void {
    const running = this.#running;
    if (message.type === 'ready') {
      this.#ready.resolve();
    } else if (message.type === 'output') {
      running?.timer.refresh();
      running?.onOutput(message.output);
    } else {
      this.#usage = message.usage;
      this.#stop();
      if (message.type === 'done') running?.resolve(message.result);
      else running?.reject(new MediaRefusal(message.reason, message.message));
    }
  }

  #expire(timeoutMs: number): void {
    const running = this.#stop();
    this.#dead = true;
    this.#child.kill('SIGKILL');
    running?.reject(new MediaRefusal('timed_out', `a preview took longer than ${timeoutMs} ms`));
  }

  #bury(how: string): void {
    this.#dead = true;
    const died = new WorkerDied(`the worker died: ${how}. ${this.#lastWords}`.trim());
    this.#ready.reject(died);
    this.#stop()?.reject(died);
    this.#exited.resolve();
  }

  #stop(): Running | null {
    const running = this.#running;
    if (running !== null) clearTimeout(running.timer);
    this.#running = null;
    return running;
  }
}
