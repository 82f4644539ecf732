import type { SearchMode } from '../../packages/contract/src/index.ts';
import type { Client } from '../support/client.ts';
import type { Split } from './split.ts';

/** The kind of request: a search in one mode, or one of the other two operations. */
export type Channel = SearchMode | 'suggest' | 'similar';

/** The scores of one question by metric, and whether semantic search was used. */
export interface Scored {
  scores: Record<string, number>;
  semantic?: boolean;
}

export interface Question {
  /** Name of the group. Questions in the same group are not independent of each other. */
  group: string;
  /** The lines of the report to which this question contributes. */
  parts: readonly string[];
  ask(client: Client, channel: Channel): Promise<Scored>;
}

export interface EvalSet {
  name: string;
  asks: 'search' | 'suggest' | 'similar';
  /** Returns the questions in one half, or undefined if a file is missing. */
  read(folder: string, split: Split): Question[] | undefined;
}

/** The questions of one set, sent with one kind of request. */
export interface Plan {
  set: string;
  channel: Channel;
  /** The questions, or undefined if the files are missing. */
  questions: readonly Question[] | undefined;
  /** Why there are no questions. */
  reason?: string;
}
