import type { SearchMode } from '../../packages/contract/src/index.ts';
import type { Client } from '../support/client.ts';
import type { Split } from './split.ts';

/** What is asked: a search in one mode, or one of the other two operations. */
export type Channel = SearchMode | 'suggest' | 'similar';

/** What one question scored by metric, and whether the meaning leg took part. */
export interface Scored {
  scores: Record<string, number>;
  semantic?: boolean;
}

export interface Question {
  /** What questions have in common that are not independent of each other. */
  group: string;
  /** The lines of the report that this question counts in. */
  parts: readonly string[];
  ask(client: Client, channel: Channel): Promise<Scored>;
}

export interface EvalSet {
  name: string;
  asks: 'search' | 'suggest' | 'similar';
  /** The questions of one half, or nothing when a file is missing. */
  read(folder: string, split: Split): Question[] | undefined;
}

/** The questions of one set, asked in one way. */
export interface Plan {
  set: string;
  channel: Channel;
  /** Nothing when the files are missing. */
  questions: readonly Question[] | undefined;
  /** Why there are none. */
  reason?: string;
}
