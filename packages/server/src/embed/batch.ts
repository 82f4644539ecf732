import type { RunMessage } from './child/protocol.ts';

/** Texts that are embedded in one run, and what becomes of the outcome. */
export interface Batch extends RunMessage {
  /** After so long in one run the process is taken for hung, in milliseconds. */
  readonly limitMs: number;
  /** Gets the vectors in the order of the texts; null where there was nothing to embed. */
  done(vectors: (Float32Array | null)[]): void;
  failed(error: Error): void;
}
