import { systemClock } from '../../base/clock.ts';
import { ServiceError } from '../../base/errors.ts';
import { goOn, type Log } from '../../base/log.ts';
import { type CommandProgress, type Ended, followCommand } from '../../service/index.ts';

/** A command that runs now. */
export interface RunningCommand extends CommandProgress {
  /** What the command works on. */
  subject: string;
  startedAt: number;
}

/** Runs one command at a time in a process of its own, so that it never delays responses. */
export class OneCommand {
  readonly #stopping: AbortSignal;
  readonly #log: Log;
  #running: RunningCommand | null = null;

  /** @param stopping ends the command when the service stops */
  constructor(stopping: AbortSignal, log: Log) {
    this.#stopping = stopping;
    this.#log = log;
  }

  get running(): RunningCommand | null {
    return this.#running;
  }

  /**
   * Starts a command, and does not wait for its end.
   * @param ended called when the command has ended
   * @throws ServiceError `conflict` while another command runs
   */
  start(subject: string, args: readonly string[], ended: (end: Ended) => Promise<void>): void {
    if (this.#running !== null) throw new ServiceError('conflict', `Wait for the end of ${this.#running.subject}`);
    const running = { subject, startedAt: systemClock.now(), phase: '', done: 0, total: null };
    this.#running = running;
    const note = (progress: CommandProgress) => void Object.assign(running, progress);
    const done = followCommand(this.#stopping, note, ...args).then(ended);
    goOn(
      done.finally(() => {
        this.#running = null;
      }),
      this.#log,
    );
  }
}
