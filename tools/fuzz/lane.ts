import fs from 'node:fs';
import path from 'node:path';
import { ProcessDied, Subprocess } from '../../packages/server/src/platform/process/index.ts';
import type { Finding, Order, Report, Turn, TurnResult } from './protocol.ts';
import type { Setup } from './target.ts';

/** Time limit for starting a process and for preparing a target, in milliseconds. */
const START_MS = 120_000;

export interface LaneOptions {
  /** URL of the module that exports TARGETS. */
  readonly targets: string;
  readonly setup: Setup;
  /** Time after which an input counts as hanging, in milliseconds. */
  readonly limitMs: number;
  /** Maximum number of characters of an input in a finding. */
  readonly shown: number;
}

/** Checks one turn after another in a separate process. The process is replaced if an input ends or blocks it. */
export class Lane {
  readonly #options: LaneOptions;
  readonly #prepared = new Set<string>();
  #child: Subprocess<Order, Report> | undefined;
  #folders = 0;

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  /** Checks the inputs of a turn. If the process dies, checks them again one at a time, to find the culprit. */
  async check(turn: Turn): Promise<TurnResult> {
    const result = await this.#attempt(turn);
    if (!(result instanceof ProcessDied)) return result;
    if (turn.count === 1) return { outcomes: {}, findings: [await this.#findingOf(turn, result)] };
    const outcomes: Record<string, number> = {};
    const findings: Finding[] = [];
    for (let from = turn.from; from < turn.from + turn.count; from++) {
      const one = await this.check({ ...turn, from, count: 1 });
      for (const [outcome, count] of Object.entries(one.outcomes)) outcomes[outcome] = (outcomes[outcome] ?? 0) + count;
      findings.push(...one.findings);
    }
    if (findings.length === 0) findings.push({ ...turn, what: result.message, input: '' });
    return { outcomes, findings };
  }

  /** Ends the process. */
  async end(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    this.#prepared.clear();
    await child?.end();
  }

  async #attempt(turn: Turn): Promise<TurnResult | ProcessDied> {
    const { limitMs, shown } = this.#options;
    const child = await this.#prepare(turn.target);
    try {
      const report = await child.ask({ type: 'check', turn, limitMs, shown }, limitMs, isLast);
      if (report.type !== 'checked') throw unusable(turn.target, report);
      return report.result;
    } catch (error) {
      if (!(error instanceof ProcessDied)) throw error;
      await this.end();
      return error;
    }
  }

  /**
   * Returns the finding for an input that ended or blocked its process. For this, another process draws the input
   * again.
   */
  async #findingOf(turn: Turn, { message }: ProcessDied): Promise<Finding> {
    const child = await this.#prepare(turn.target);
    const report = await child.ask({ type: 'show', turn, shown: this.#options.shown }, START_MS, isLast);
    return { ...turn, what: message, input: report.type === 'shown' ? report.input : '' };
  }

  /** Starts the process and prepares a target, if this is not done yet. @throws Error if this fails */
  async #prepare(target: string): Promise<Subprocess<Order, Report>> {
    const { targets, setup } = this.#options;
    this.#child ??= await start();
    if (this.#prepared.has(target)) return this.#child;
    const folder = path.join(setup.folder, `${target}-${this.#folders++}`);
    fs.mkdirSync(folder, { recursive: true });
    const order: Order = { type: 'open', targets, target, setup: { ...setup, folder } };
    const report = await this.#child.ask(order, START_MS, isLast);
    if (report.type !== 'ready') throw unusable(target, report);
    this.#prepared.add(target);
    return this.#child;
  }
}

async function start(): Promise<Subprocess<Order, Report>> {
  const entry = new URL('./child.ts', import.meta.url);
  const child = new Subprocess<Order, Report>({ entry, flags: ['--expose-gc'] });
  await child.hear(START_MS, isLast);
  return child;
}

function isLast({ type }: Report): boolean {
  return type !== 'alive';
}

function unusable(target: string, report: Report): Error {
  return new Error(`${target} cannot be checked: ${report.type === 'failed' ? report.message : report.type}`);
}
