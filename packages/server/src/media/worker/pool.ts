import { LRUCache } from 'lru-cache';
import { ServiceError } from '../../base/errors.ts';
import { goOn, type Log } from '../../base/log.ts';
import { ProcessDied } from '../../platform/process/index.ts';
import { MediaRefusal } from '../refusal.ts';
import type { Job, JobResult, Output } from './protocol.ts';
import type { Schedule } from './spawn.ts';
import { WorkerProcess } from './worker-process.ts';

/** A serving process stays small: workers end after so long without a job. */
const IDLE_MS = 30_000;
/** One crash can be bad luck (another process took the memory); two are the file's. */
const MAX_CRASHES = 2;
/** How many times longer a preview may take while files are taken in. */
const INGEST_PATIENCE = 10;

export interface PoolOptions {
  readonly workers: number;
  readonly workerMemoryMib: number;
  readonly timeoutMs: number;
  readonly schedule: Schedule;
  readonly idleMs?: number;
  readonly log: Log;
}

export interface RunOptions {
  /** What someone waits for goes before what a background run brings. */
  readonly priority: 'on_demand' | 'ingest';
  /** Names the content, so that a file that crashes workers is known again. */
  readonly inputKey: string;
  readonly onOutput: (output: Output) => void;
}

interface Task extends RunOptions {
  readonly job: Job;
  readonly resolve: (result: JobResult) => void;
  readonly reject: (error: unknown) => void;
}

/** Worker processes, started when there is work and ended when there is none. */
export class WorkerPool {
  readonly #options: PoolOptions;
  readonly #queues: Record<RunOptions['priority'], Task[]> = { on_demand: [], ingest: [] };
  readonly #crashes = new LRUCache<string, number>({ max: 1000 });
  readonly #alive = new Set<WorkerProcess>();
  readonly #parked = new Map<WorkerProcess, NodeJS.Timeout>();
  #busy = 0;
  #closed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** Processes alive, for tests and for an operator's eyes. */
  get pids(): number[] {
    return [...this.#alive].map((worker) => worker.pid).filter((pid) => pid !== undefined);
  }

  /**
   * Does a job as soon as a worker is free, and once again when the worker dies of it. Rejects with MediaRefusal when
   * the file is at fault, with ServiceError `upstream_unavailable` when no worker can be had.
   */
  run(job: Job, options: RunOptions): Promise<JobResult> {
    if (this.#closed) return Promise.reject(closing());
    if (this.#isQuarantined(options.inputKey)) return Promise.reject(crashed());
    const { promise, resolve, reject } = Promise.withResolvers<JobResult>();
    this.#queues[options.priority].push({ ...options, job, resolve, reject });
    if (this.#busy < this.#options.workers) goOn(this.#drain(), this.#options.log);
    return promise;
  }

  /** Ends all workers; what is not done yet is rejected. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const timer of this.#parked.values()) clearTimeout(timer);
    for (let task = this.#next(); task !== undefined; task = this.#next()) task.reject(closing());
    await Promise.all([...this.#alive].map((worker) => worker.end()));
  }

  async #drain(): Promise<void> {
    this.#busy++;
    let worker = this.#unpark();
    for (let task = this.#next(); task !== undefined; task = this.#next()) {
      worker = await this.#attempt(task, worker);
    }
    this.#busy--;
    if (worker !== undefined) this.#park(worker);
  }

  #next(): Task | undefined {
    return this.#queues.on_demand.shift() ?? this.#queues.ingest.shift();
  }

  /** Returns the worker if it can take another task. */
  async #attempt(task: Task, free: WorkerProcess | undefined): Promise<WorkerProcess | undefined> {
    let worker: WorkerProcess;
    try {
      worker = free ?? this.#start();
      await worker.ready();
    } catch (error) {
      if (this.#closed) {
        task.reject(closing());
        return undefined;
      }
      this.#options.log.error({ err: error }, 'no media worker can be started');
      task.reject(
        new ServiceError('upstream_unavailable', 'no preview can be made now', { cause: error, retryAfter: 30 }),
      );
      return undefined;
    }
    try {
      // Nobody waits for what is taken in, and a busy machine is no fault of the file: its processor time is bounded.
      const patience = task.priority === 'ingest' ? INGEST_PATIENCE : 1;
      task.resolve(await worker.run(task.job, patience * this.#options.timeoutMs, task.onOutput));
      this.#crashes.delete(task.inputKey);
    } catch (error) {
      if (error instanceof ProcessDied) this.#afterCrash(task, error);
      else task.reject(error);
    }
    if (!worker.worn) return worker;
    await worker.end();
    return undefined;
  }

  #afterCrash(task: Task, error: ProcessDied): void {
    if (this.#closed) {
      task.reject(closing());
      return;
    }
    const crashes = (this.#crashes.get(task.inputKey) ?? 0) + 1;
    this.#crashes.set(task.inputKey, crashes);
    this.#options.log.warn({ err: error, input: task.inputKey, crashes }, 'a media worker died of a file');
    if (crashes >= MAX_CRASHES) task.reject(crashed());
    else this.#queues[task.priority].unshift(task);
  }

  #isQuarantined(inputKey: string): boolean {
    return (this.#crashes.get(inputKey) ?? 0) >= MAX_CRASHES;
  }

  #start(): WorkerProcess {
    const worker = new WorkerProcess(this.#options.workerMemoryMib, this.#options.schedule);
    this.#alive.add(worker);
    const forget = () => {
      this.#alive.delete(worker);
      clearTimeout(this.#parked.get(worker));
      this.#parked.delete(worker);
    };
    goOn(worker.exited.then(forget), this.#options.log);
    return worker;
  }

  #park(worker: WorkerProcess): void {
    const retire = (): void => {
      this.#parked.delete(worker);
      goOn(worker.end(), this.#options.log);
    };
    this.#parked.set(worker, setTimeout(retire, this.#options.idleMs ?? IDLE_MS).unref());
  }

  #unpark(): WorkerProcess | undefined {
    const [parked] = this.#parked;
    if (parked === undefined) return undefined;
    const [worker, timer] = parked;
    clearTimeout(timer);
    this.#parked.delete(worker);
    return worker;
  }
}

function closing(): ServiceError {
  return new ServiceError('upstream_unavailable', 'the service is stopping', { retryAfter: 5 });
}

function crashed(): MediaRefusal {
  return new MediaRefusal('decoder_crashed', `the decoder crashed ${MAX_CRASHES} times over this file`);
}
