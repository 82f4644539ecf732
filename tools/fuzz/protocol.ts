import type { Setup } from './target.ts';

/** Successive inputs of one target. */
export interface Turn {
  readonly target: string;
  readonly from: number;
  readonly count: number;
}

/** A problem with one input, or with all inputs of a turn together. */
export interface Finding extends Turn {
  readonly what: string;
  /** The input, shortened. Empty if the finding is about several inputs. */
  readonly input: string;
}

export interface TurnResult {
  /** For each expected result, the number of inputs that had it. */
  readonly outcomes: Readonly<Record<string, number>>;
  readonly findings: readonly Finding[];
}

/** Orders to the process that checks inputs. */
export type Order =
  /** Prepares a target. `targets` is the URL of the module that exports TARGETS. */
  | { readonly type: 'open'; readonly targets: string; readonly target: string; readonly setup: Setup }
  /** Checks inputs of a prepared target. */
  | { readonly type: 'check'; readonly turn: Turn; readonly limitMs: number; readonly shown: number }
  /** Draws the first input of a turn without checking it. */
  | { readonly type: 'show'; readonly turn: Turn; readonly shown: number };

/** Messages of the process that checks inputs. `alive` means that its event loop is not blocked. */
export type Report =
  | { readonly type: 'alive' }
  | { readonly type: 'ready' }
  | { readonly type: 'checked'; readonly result: TurnResult }
  | { readonly type: 'shown'; readonly input: string }
  | { readonly type: 'failed'; readonly message: string };
