import type { RunMessage } from './child/protocol.ts';

/** Texts to embed in one run, with callbacks for the result. */
export interface Batch extends RunMessage {
  /** Milliseconds; if a run takes longer, the process counts as hung. */
  readonly limitMs: number;
  /** Called with the vectors in the order of the texts; null if a text has nothing to embed. */
  done(vectors: (Float32Array | null)[]): void;
  failed(error: Error): void;
}
