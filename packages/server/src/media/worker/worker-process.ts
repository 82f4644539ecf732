import { ProcessDied, Subprocess } from '../../platform/process/index.ts';
import { MediaRefusal } from '../refusal.ts';
import type { Job, JobResult, Output, Usage, WorkerMessage } from './protocol.ts';
import { type Schedule, workerProgram } from './spawn.ts';

/** Maximum use of a worker. After that, the worker is replaced, because decoders leak and fragment memory. */
const RETIRE_JOBS = 200;
const RETIRE_RSS_BYTES = 400_000_000;
const RETIRE_CPU_SECONDS = 600;

/**
 * Maximum time for starting a process. A process usually starts within half a second. If the start takes a minute, the
 * process hangs. On a machine that is never idle, a process of the idle class gets no time at all.
 */
const START_MS: Record<Schedule, number> = { low: 60_000, idle: 10_000 };

/** One worker process, which runs one job at a time. */
export class WorkerProcess {
  readonly schedule: Schedule;
  readonly #child: Subprocess<Job, WorkerMessage>;
  /** Reason why the process could not be started, or null. The first job fails with this reason. */
  readonly #started: Promise<Error | null>;
  #jobs = 0;
  #usage: Usage = { rssBytes: 0, cpuSeconds: 0 };

  constructor(memoryMib: number, schedule: Schedule) {
    this.schedule = schedule;
    this.#child = new Subprocess(workerProgram(memoryMib, schedule));
    this.#started = this.#child.hear(START_MS[schedule]).then(
      () => null,
      (error: Error) => error,
    );
  }

  /** Settles when the process has exited. */
  get exited(): Promise<void> {
    return this.#child.exited;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Returns whether the next job should go to a new process. */
  get worn(): boolean {
    const { rssBytes, cpuSeconds } = this.#usage;
    const isUsedUp = this.#jobs >= RETIRE_JOBS || rssBytes > RETIRE_RSS_BYTES || cpuSeconds > RETIRE_CPU_SECONDS;
    return isUsedUp || this.#child.death !== null;
  }

  /** Settles when the process can take its first job. Rejects with ProcessDied if the process cannot be started. */
  async ready(): Promise<void> {
    const failure = await this.#started;
    if (failure !== null) throw failure;
  }

  /**
   * Runs a job. Rejects with ProcessDied or MediaRefusal. If there is no output for `timeoutMs`, rejects with
   * MediaRefusal `timed_out`, and the process is killed.
   */
  async run(job: Job, timeoutMs: number, onOutput: (output: Output) => void): Promise<JobResult> {
    this.#jobs++;
    const answer = await this.#child.ask(job, timeoutMs, isLast).catch((error) => {
      if (!(error instanceof ProcessDied) || !error.isLate) throw error;
      throw new MediaRefusal('timed_out', `a preview took longer than ${timeoutMs} ms`);
    });
    if (answer.type !== 'done' && answer.type !== 'refused') throw new Error(`the worker said ${answer.type}`);
    this.#usage = answer.usage;
    if (answer.type === 'done') return answer.result;
    throw new MediaRefusal(answer.reason, answer.message);

    function isLast(message: WorkerMessage): boolean {
      if (message.type !== 'output') return true;
      onOutput(message.output);
      return false;
    }
  }

  /** Kills the process. Resolves when the process has exited. */
  end(): Promise<void> {
    return this.#child.end();
  }
}
