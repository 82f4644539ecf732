import type { Turn, TurnResult } from './protocol.ts';

/** The known facts about a target so far. */
export interface Tally {
  readonly name: string;
  /** Number of inputs that were checked. */
  inputs: number;
  findings: number;
  /** For each expected result, the number of inputs that had it. */
  readonly outcomes: Map<string, number>;
  /** Total time of the target's turns, in milliseconds. */
  ms: number;
}

/** The inputs of a target that must be checked: from `from` to `end` (exclusive). */
export interface Range {
  readonly name: string;
  readonly from: number;
  readonly end: number;
  /** Number of inputs in each turn. */
  readonly size: number;
}

interface State extends Tally {
  readonly range: Range;
  next: number;
  turns: number;
  /** Time that was given to the target, including the expected time of unfinished turns, in milliseconds. */
  given: number;
}

/** Expected time of a turn, in milliseconds. */
const EXPECTED_MS = 1_000;

/** Shares the time equally between targets. */
export class Schedule {
  readonly #states: readonly State[];
  readonly #turns: number;

  /** @param turns maximum number of turns of each target */
  constructor(ranges: readonly Range[], turns: number) {
    this.#turns = turns;
    this.#states = ranges.map((range) => {
      const { name, from: next } = range;
      return { name, range, next, turns: 0, inputs: 0, findings: 0, outcomes: new Map(), ms: 0, given: 0 };
    });
  }

  get tallies(): readonly Tally[] {
    return this.#states;
  }

  /** Returns the next turn of the target that was given the least time, or undefined if all turns were given. */
  next(): Turn | undefined {
    const open = this.#states.filter(({ turns, next, range }) => turns < this.#turns && next < range.end);
    const [state] = open.toSorted((a, b) => a.given - b.given);
    if (state === undefined) return undefined;
    const { size, end } = state.range;
    const turn = { target: state.name, from: state.next, count: Math.min(size, end - state.next) };
    state.next += turn.count;
    state.turns++;
    state.given += EXPECTED_MS;
    return turn;
  }

  /** Notes the result of a turn, which took this many milliseconds. */
  note({ target, count }: Turn, { outcomes, findings }: TurnResult, ms: number): void {
    const state = this.#states.find(({ name }) => name === target)!;
    state.inputs += count;
    state.findings += findings.length;
    state.ms += ms;
    state.given += ms - EXPECTED_MS;
    for (const [outcome, n] of Object.entries(outcomes)) {
      state.outcomes.set(outcome, (state.outcomes.get(outcome) ?? 0) + n);
    }
  }
}
