import { problemOfText } from '../../packages/server/src/base/plain-text.ts';
import type { Random } from './draw.ts';
import type { ServiceFacts } from './service.ts';

/** A part of the product that reads data from strangers. */
export interface Target {
  /** Number of inputs in one turn. A turn takes about a second. */
  readonly turn: number;
  /** Number of inputs that are checked at the same time. */
  readonly together: number;
  /** Whether the checks need the running service. */
  readonly needsService?: boolean;
  /** Time limit for one input, in milliseconds. Only for parts that have their own, stricter limit for CPU time. */
  readonly limitMs?: number;
  open(setup: Setup): Promise<Checker>;
}

export interface Setup {
  /** The seed of the run. */
  readonly seed: string;
  /** An empty folder for files. */
  readonly folder: string;
  /** The running service, if a target needs it. */
  readonly service: ServiceFacts | undefined;
}

export interface Checker<Input = unknown> {
  /** Draws an input by changing a valid one. Equal numbers give equal inputs. */
  draw(random: Random, number: number): Input;
  /**
   * Gives the input to the product. Returns the result in a few words, such as the reason why the input was refused.
   * Throws errors that the product must not throw, or a Fault.
   */
  check(input: Input, number: number): string | Promise<string>;
  /** Called after each turn, when no input is being checked. */
  refresh?(): Promise<void>;
}

/** Thrown if the product broke a promise. */
export class Fault extends Error {
  override readonly name = 'Fault';
}

/** Thrown if there was no result in time. Before this is reported, the input is checked again alone. */
export class Late extends Error {
  override readonly name = 'Late';
}

/**
 * Returns whether an error comes from a mistake in a program and not from a bad input. `fetch` also reports broken
 * connections as TypeErrors. The stack of such an error is empty, or is in the code of `fetch`.
 */
export function isMistake(error: unknown): boolean {
  if (!(error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError)) return false;
  const [, thrownAt = ''] = error.stack?.split('\n    at ') ?? [];
  return thrownAt !== '' && !thrownAt.includes('node:internal/deps/undici');
}

/** @throws Fault if a text of strangers contains control characters or marks that reorder text */
export function mustBePlain(field: string, text: string, form: 'line' | 'lines' = 'line'): void {
  const problem = problemOfText(text, form);
  if (problem !== undefined) throw new Fault(`${field} ${problem}: ${JSON.stringify(text.slice(0, 200))}`);
}
