import type { Plan } from '../questions/question.ts';

/**
 * Milliseconds between two lines. On a terminal, a line replaces the previous one. Otherwise, lines are less frequent,
 * so that a log gets few of them.
 */
const TERMINAL = 500;
const LOG = 10_000;

/** Shows the progress of a run on standard error. */
export class Progress {
  readonly #plans: readonly Plan[];
  readonly #start: number = Date.now();
  #expected: number;
  #done = 0;
  /** Number of responses in finished plans. */
  #settled = 0;
  #shown: number = Date.now();

  constructor(plans: readonly Plan[]) {
    this.#plans = plans;
    this.#expected = this.#countOf(plans);
  }

  step(): void {
    this.#done++;
    const terminal = process.stderr.isTTY;
    if (Date.now() - this.#shown < (terminal ? TERMINAL : LOG)) return;
    this.#shown = Date.now();
    process.stderr.write(`${terminal ? '\r\u001b[K' : ''}${this.#line()}${terminal ? '' : '\n'}`);
  }

  /** Notes the end of a plan. If a plan ends early, its remaining questions are no longer expected. */
  finish(plan: Plan): void {
    const asked = this.#done - this.#settled;
    this.#expected -= this.#countOf([plan]) - asked;
    this.#settled = this.#done;
    if (plan === this.#plans.at(-1) && process.stderr.isTTY) process.stderr.write('\r\u001b[K');
  }

  #line(): string {
    const seconds = (Date.now() - this.#start) / 1000;
    const rate = this.#done / seconds;
    const left = Math.ceil((this.#expected - this.#done) / rate);
    return `asked ${this.#done} of ${this.#expected} questions, ${rate.toFixed(0)}/s, ${left} s left`;
  }

  #countOf(plans: readonly Plan[]): number {
    return plans.reduce((sum, { questions }) => sum + (questions?.length ?? 0), 0);
  }
}
