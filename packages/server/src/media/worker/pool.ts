import { LRUCache } from 'lru-cache';
import { ServiceError } from '../../base/errors.ts';
import { goOn, type Log } from '../../base/log.ts';
import { ProcessDied } from '../../platform/process/index.ts';
import { MediaRefusal } from '../refusal.ts';
import type { Job, JobResult, Output } from './protocol.ts';
import type { Schedule } from './spawn.ts';
import { WorkerProcess } from './worker-process.ts';

/** Time after which idle workers end, to keep a serving process small. */
const IDLE_MS = 30_000;
/**
 * After this number of crashes, the file counts as the cause. A single crash can be an accident, for example because
 * another process used up the memory.
 */
const MAX_CRASHES = 2;
/**
 * Maximum duration of a job, as a multiple of the time that a request waits. The multiple is large, so that no file is
 * rejected only because the machine is busy. The job's CPU time is limited separately.
 */
const PATIENCE = 10;

export interface PoolOptions {
  readonly workers: number;
  readonly workerMemoryMib: number;
  readonly timeoutMs: number;
  /**
   * Schedule of the workers. On a machine that is never idle, workers with the schedule `idle` are replaced by workers
   * with low priority.
   */
  readonly schedule: Schedule;
  readonly idleMs?: number;
  readonly log: Log;
}

export interface RunOptions {
  /** Priority of the job. Requested previews have priority over previews that are made during ingestion. */
  readonly priority: 'on_demand' | 'ingest';
  /** A key that identifies the content, so that a file that crashes workers is recognised. */
  readonly inputKey: string;
  readonly onOutput: (output: Output) => void;
}

interface Task extends RunOptions {
  readonly job: Job;
  readonly resolve: (result: JobResult) => void;
  readonly reject: (error: unknown) => void;
}

/** A pool of worker processes, which are started when there is work, and ended when they are idle. */
export class WorkerPool {
  readonly #options: PoolOptions;
  readonly #queues: Record<RunOptions['priority'], Task[]> = { on_demand: [], ingest: [] };
  readonly #crashes = new LRUCache<string, number>({ max: 1000 });
  readonly #alive = new Set<WorkerProcess>();
  readonly #parked = new Map<WorkerProcess, NodeJS.Timeout>();
  #schedule: Schedule;
  #busy = 0;
  #closed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#schedule = options.schedule;
  }

  /** Returns the running processes, for tests and operators. */
  get pids(): number[] {
    return [...this.#alive].map((worker) => worker.pid).filter((pid) => pid !== undefined);
  }

  /**
   * Runs a job as soon as a worker is free. Runs it once more if it crashes the worker. Rejects with MediaRefusal if
   * the file is the cause, or with ServiceError `upstream_unavailable` if no worker is available.
   */
  run(job: Job, options: RunOptions): Promise<JobResult> {
    if (this.#closed) return Promise.reject(closing());
    if (this.#isQuarantined(options.inputKey)) return Promise.reject(crashed());
    const { promise, resolve, reject } = Promise.withResolvers<JobResult>();
    this.#queues[options.priority].push({ ...options, job, resolve, reject });
    if (this.#busy < this.#options.workers) goOn(this.#drain(), this.#options.log);
    return promise;
  }

  /** Ends all workers. Unfinished jobs are rejected. */
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

  /** Runs a task. Returns the worker if it can run another task. */
  async #attempt(task: Task, free: WorkerProcess | undefined): Promise<WorkerProcess | undefined> {
    const worker = free ?? this.#start();
    try {
      await worker.ready();
    } catch (error) {
      if (this.#isStarved(worker, error)) {
        this.#queues[task.priority].unshift(task);
        return undefined;
      }
      if (this.#closed) {
        task.reject(closing());
        return undefined;
      }
      this.#options.log.error({ err: error }, 'could not start a media worker');
      task.reject(
        new ServiceError('upstream_unavailable', 'previews cannot be made right now', { cause: error, retryAfter: 30 }),
      );
      return undefined;
    }
    try {
      // A worker that gets no CPU time because the machine is never idle is soon replaced by a worker with low
      // priority.
      const patience = worker.schedule === 'idle' ? 1 : PATIENCE;
      task.resolve(await worker.run(task.job, patience * this.#options.timeoutMs, task.onOutput));
      this.#crashes.delete(task.inputKey);
    } catch (error) {
      if (this.#isStarved(worker, error)) this.#queues[task.priority].unshift(task);
      else if (error instanceof ProcessDied) this.#afterCrash(task, error);
      else task.reject(error);
    }
    if (!worker.worn) return worker;
    await worker.end();
    return undefined;
  }

  /**
   * Returns whether a worker failed because other programs use the machine. If so, the next workers have low priority
   * instead of the idle class.
   */
  #isStarved({ schedule }: WorkerProcess, error: unknown): boolean {
    const isLate =
      (error instanceof ProcessDied && error.isLate) || (error instanceof MediaRefusal && error.reason === 'timed_out');
    if (this.#closed || schedule !== 'idle' || !isLate) return false;
    this.#options.log.info('the machine is never idle: videos are made with low priority');
    this.#schedule = 'low';
    return true;
  }

  #afterCrash(task: Task, error: ProcessDied): void {
    if (this.#closed) {
      task.reject(closing());
      return;
    }
    const crashes = (this.#crashes.get(task.inputKey) ?? 0) + 1;
    this.#crashes.set(task.inputKey, crashes);
    this.#options.log.warn({ err: error, input: task.inputKey, crashes }, 'a file crashed a media worker');
    if (crashes >= MAX_CRASHES) task.reject(crashed());
    else this.#queues[task.priority].unshift(task);
  }

  #isQuarantined(inputKey: string): boolean {
    return (this.#crashes.get(inputKey) ?? 0) >= MAX_CRASHES;
  }

  #start(): WorkerProcess {
    const worker = new WorkerProcess(this.#options.workerMemoryMib, this.#schedule);
    this.#alive.add(worker);
    const forget = () => {
      this.#alive.delete(worker);
      clearTimeout(this.#parked.get(worker));
      this.#parked.delete(worker);
      if (this.#alive.size === 0 && worker.schedule === 'low') this.#schedule = this.#options.schedule;
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
  return new MediaRefusal('decoder_crashed', `the decoder crashed ${MAX_CRASHES} times on this file`);
}
